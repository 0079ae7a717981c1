import { readFileSync, writeFileSync } from 'node:fs';
import { formatComplianceDocument, RULE_TABLES } from '@touchstone/x402';
import { format, resolveConfig } from 'prettier';

const file = new URL('../../docs/compliance.md', import.meta.url);

/** Generates docs/compliance.md from the rule tables, formatted by Prettier. */
export async function generateComplianceDocument(): Promise<string> {
  const options = await resolveConfig(file);
  return format(formatComplianceDocument(RULE_TABLES), { ...options, parser: 'markdown' });
}

/** Reads docs/compliance.md as it is on disk. */
export function readComplianceDocument(): string {
  return readFileSync(file, 'utf8');
}

if (import.meta.main) {
  writeFileSync(file, await generateComplianceDocument());
  console.log('Wrote docs/compliance.md.');
}
