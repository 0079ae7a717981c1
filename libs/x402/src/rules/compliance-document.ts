import { type Rule, SOURCES, type Reference } from './rule.ts';

/** Title and rules of one section of the compliance document. */
export interface RuleTable {
  readonly title: string;
  readonly rules: readonly Rule[];
}

const INTRODUCTION = `# Compliance rules

This page is generated from the rule tables in the code (\`npm run docs:compliance\`); a test compares the two.

Each rule below checks the response to an unpaid request. A rule that does not apply is skipped: it neither passes nor
fails. \`bazaar-schema\` and \`bazaar-info-validates\` are also skipped, with a reason, for a schema that they do not evaluate
([keywords and limits](decisions/0011-evaluate-untrusted-schemas-with-limits.md)). The same fault in several payment options
is one finding.

Each rule has one of three axes. **payable** rules concern the buyer's money or the ability of clients to pay.
**discoverable** rules concern how directories list the endpoint. **hygiene** rules concern everything else. The verdict
follows from the failed rules:

| verdict | when |
| --- | --- |
| \`unpayable\` | neither reference client would sign a payment that settles |
| \`errors\` | a payment would settle, and a payable rule failed with severity error |
| \`warnings\` | none of the above, and a payable or hygiene rule failed with severity error or warning |
| \`pass\` | none of the above: only discoverable rules failed, or rules with severity info |
| \`undetermined\` | the response is not a challenge, and its status (401, 403, 429, …) does not show whether payment is required |

The rules do not decide whether a client would pay. That is decided first, by following the reference clients step by step
([reasons](decisions/0010-define-payable-by-the-reference-clients.md)). For a more or less serious case, a rule can fail with a
different severity or axis than listed here; the finding names them.`;

/** Returns the rule tables as a Markdown document, before formatting by Prettier. */
export function formatComplianceDocument(tables: readonly RuleTable[]): string {
  const count = tables.reduce((sum, { rules }) => sum + rules.length, 0);
  return [
    INTRODUCTION,
    `There are ${String(count)} rules.`,
    ...tables.map(formatTable),
    '## Sources',
    Object.values(SOURCES).map(formatSource).join('\n'),
  ].join('\n\n');
}

function formatSource({ title, url }: { readonly title: string; readonly url: string }): string {
  return url === ''
    ? `- ${title}: no document requires these rules; the rule text gives the reason`
    : `- [${title}](${url})`;
}

function formatTable({ title, rules }: RuleTable): string {
  const rows = rules.map(
    ({ id, axis, severity, requirement, fix, reference }) =>
      `| \`${id}\` | ${axis}, ${severity} | ${escapeCell(requirement)} | ${escapeCell(fix)} | ${escapeCell(formatLink(reference))} |`,
  );
  return [
    `## ${title}`,
    '',
    '| rule | axis, severity | requirement | fix | source |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function formatLink({ source, clause }: Reference): string {
  const { title, url } = SOURCES[source];
  const citation = clause === '' ? title : `${title}, ${clause}`;
  return url === '' ? citation : `[${citation}](${url})`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
