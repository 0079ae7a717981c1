import type { Rule } from './rule.ts';
import { SOURCES, type Reference } from './sources.ts';

/** A part of the table of rules, as the document shows it. */
export interface RuleTable {
  readonly title: string;
  readonly rules: readonly Rule[];
}

const INTRODUCTION = `# Compliance rules

This page is made from the table the code runs on (\`npm run docs:compliance\`); a test compares the two.

An answer to an unpaid request is judged by every rule below that applies to it. A rule that does not apply is skipped:
it has neither passed nor failed. The same fault in many options is one finding.

Each rule is on one of three axes. **payable** rules touch a buyer's money or whether a client can pay at all.
**discoverable** rules are about being listed and found. **hygiene** is the rest. The verdict follows from them:

| verdict | when |
| --- | --- |
| \`unpayable\` | neither reference client would make a payment for the answer |
| \`errors\` | one of them would, and a rule on the payable axis failed with an error |
| \`warnings\` | none of these, and a payable or hygiene rule failed with an error or a warning |
| \`pass\` | none of these; what failed is about being found, or for information |
| \`undetermined\` | the answer is no challenge, and its status (401, 403, 429, …) says nothing about whether there is one |

Whether a client would pay comes before all rules and is not one of them: it follows the reference clients step by step
([why](decisions/0010-payable-is-what-the-clients-do.md)). A rule may fail with another severity
than its own, or on another axis, where one case is graver or lighter than the rest; the finding says which.`;

/** The table of rules as a Markdown document, not yet formatted. */
export function complianceDocument(tables: readonly RuleTable[]): string {
  const count = tables.reduce((sum, { rules }) => sum + rules.length, 0);
  return [
    INTRODUCTION,
    `There are ${String(count)} rules.`,
    ...tables.map(section),
    '## Sources',
    Object.values(SOURCES).map(sourceLine).join('\n'),
  ].join('\n\n');
}

function sourceLine({ title, url }: { readonly title: string; readonly url: string }): string {
  return url === ''
    ? `- ${title}: no document asks for it, and the rule says why it matters`
    : `- [${title}](${url})`;
}

function section({ title, rules }: RuleTable): string {
  const rows = rules.map(
    ({ id, axis, severity, holds, fix, reference }) =>
      `| \`${id}\` | ${axis}, ${severity} | ${cell(holds)} | ${cell(fix)} | ${cell(linkTo(reference))} |`,
  );
  return [
    `## ${title}`,
    '',
    '| rule | axis, severity | what is checked | what to change | follows |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function linkTo({ source, clause }: Reference): string {
  const { title, url } = SOURCES[source];
  const place = clause === '' ? title : `${title}, ${clause}`;
  return url === '' ? place : `[${place}](${url})`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
