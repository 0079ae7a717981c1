import { readFileSync, writeFileSync } from 'node:fs';
import { formatComplianceDocument, RULE_TABLES } from '@touchstone/x402';
import { format, resolveConfig } from 'prettier';

const file = new URL('../../docs/compliance.md', import.meta.url);

/** Generates the text of docs/compliance.md from the compliance rules. Prettier formats the text. */
export async function generateComplianceDocument(): Promise<string> {
  const options = await resolveConfig(file);
  return format(formatComplianceDocument(RULE_TABLES), { ...options, parser: 'markdown' });
}

/** Reads the existing file docs/compliance.md. */
export function readComplianceDocument(): string {
  return readFileSync(file, 'utf8');
}

if (import.meta.main) {
  writeFileSync(file, await generateComplianceDocument());
  console.log('Wrote docs/compliance.md.');
}
