import { readFileSync, writeFileSync } from 'node:fs';
import { complianceDocument, RULE_TABLES } from '@touchstone/x402';
import { format, resolveConfig } from 'prettier';

const file = new URL('../../docs/compliance.md', import.meta.url);

/** docs/compliance.md as the table of rules says it should be, formatted as this project formats Markdown. */
export async function expectedDocument(): Promise<string> {
  const options = await resolveConfig(file);
  return format(complianceDocument(RULE_TABLES), { ...options, parser: 'markdown' });
}

/** docs/compliance.md as it is. */
export function presentDocument(): string {
  return readFileSync(file, 'utf8');
}

if (import.meta.main) {
  writeFileSync(file, await expectedDocument());
  console.log('docs/compliance.md is written.');
}
