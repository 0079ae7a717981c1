import { readFileSync, writeFileSync } from 'node:fs';
import { formatComplianceDocument, RULE_TABLES } from '@touchstone/x402';
import { formatMarkdown } from './format-markdown.ts';

const file = new URL('../../docs/compliance.md', import.meta.url);

/** Generates the text of docs/compliance.md from the compliance rules. */
export async function generateComplianceDocument(): Promise<string> {
  return formatMarkdown(formatComplianceDocument(RULE_TABLES));
}

/** Reads the existing file docs/compliance.md. */
export function readComplianceDocument(): string {
  return readFileSync(file, 'utf8');
}

if (import.meta.main) {
  writeFileSync(file, await generateComplianceDocument());
  console.log('Wrote docs/compliance.md.');
}
