import { readFileSync, writeFileSync } from 'node:fs';
import {
  FACILITATOR_ROWS,
  findNetwork,
  formatCitation,
  RULE_TABLES,
  SOURCES,
  type Facilitator,
  type RuleTable,
} from '@touchstone/x402';
import { formatMarkdown } from './format-markdown.ts';

const file = new URL('../../docs/compliance.md', import.meta.url);

const INTRODUCTION = `# Compliance rules

This page is generated from the rule tables in the code (\`npm run docs:compliance\`); a test compares the two.

Each rule below checks the response to an unpaid request. A rule that does not apply is skipped: it neither passes nor
fails. \`bazaar-schema\` and \`bazaar-info-validates\` are also skipped, with a reason, for a schema that they do not evaluate
([keywords and limits](decisions/0011-evaluate-untrusted-schemas-with-limits.md)), and the rules on limits of the CDP
facilitator for a seller whose recent payments other facilitators settled. One cause is one finding: a rule skips what
another rule reports, and the same fault in several payment options is one finding. Different faults of one option are
reported together, also if its scheme or network is wrong.

Each rule has one of three axes. **payable** rules concern the buyer's money or the ability of clients to pay.
**discoverable** rules concern how directories list the endpoint. **hygiene** rules concern everything else. The verdict
follows from the failed rules:

| verdict | when |
| --- | --- |
| \`unpayable\` | neither reference client would sign a payment that settles, with a higher limit, an allowed token or another scheme |
| \`errors\` | a payment would settle, and a payable rule failed with severity error |
| \`warnings\` | none of the above, and a payable or hygiene rule failed with severity error or warning |
| \`pass\` | none of the above: only discoverable rules failed, or rules with severity info |
| \`undetermined\` | the response is not a challenge, and its status (401, 403, 429, …) does not show whether payment is required |

The reference clients decide whether a client would pay: their checks are repeated step by step before the rules run
([reasons](decisions/0010-define-payable-by-the-reference-clients.md)). For a more or less serious case, a rule can fail with a
different severity or axis than listed here; the finding names them. The last section has the links to the sources.`;

/** Returns the rule tables as a Markdown document, before formatting by oxfmt. */
function formatDocument(tables: readonly RuleTable[]): string {
  const count = tables.reduce((sum, { rules }) => sum + rules.length, 0);
  return [
    INTRODUCTION,
    `There are ${String(count)} rules.`,
    ...tables.map(formatTable),
    formatFacilitators(),
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
  const entries = rules.map(
    ({ id, level, requirement, fix, reference }) =>
      `- **\`${id}\`** (${level.join(', ')}): ${requirement} Fix: ${fix} Source: ${formatCitation(reference)}.`,
  );
  return [`## ${title}`, '', ...entries].join('\n').replaceAll('<', '&lt;');
}

/** Formats the networks, schemes and limits of the facilitators that document them or whose limits were measured. */
function formatFacilitators(): string {
  const facilitators = FACILITATOR_ROWS.map(([, facilitator]) => facilitator);
  return [
    '## Facilitators',
    `A facilitator verifies and settles payments for sellers. Sampled senders of the payments to an endpoint in the last 30 days show its facilitators ([reasons](decisions/0053-warn-about-limits-of-facilitators.md)). The networks, schemes and limits of these facilitators are known:`,
    facilitators
      .filter(({ support }) => support !== undefined)
      .map(formatFacilitator)
      .join('\n'),
    `Of these facilitators, only the addresses are known: ${facilitators
      .filter(({ support }) => support === undefined)
      .map(({ name, documentation }) => `[${name}](${documentation})`)
      .join(', ')}.`,
  ].join('\n\n');
}

function formatFacilitator({ name, documentation, support, limits }: Facilitator): string {
  const { description, amount } = limits ?? {};
  const facts = [support, description, amount].filter((fact) => fact !== undefined);
  const links = facts
    .flatMap(({ sources, readOn }) => sources.map((url) => ({ url, readOn })))
    .map(({ url, readOn }, index) => `[${String(index + 1)}](${url}) (${readOn})`);
  return [
    `- [**${name}**](${documentation}): ${formatNetworks(support?.schemes ?? {})}.`,
    description &&
      `Sellers reported that descriptions with ${String(description.accepted)} characters were accepted, and with ${String(description.refused)} refused.`,
    amount &&
      `Sellers on Base Sepolia reported that amounts of ${String(amount.accepted)} atomic units were accepted, and of ${String(amount.refused)} refused.`,
    `Sources, and when they were read: ${links.join(', ')}.`,
  ]
    .filter((text) => text !== undefined)
    .join(' ');
}

function formatNetworks(schemes: Readonly<Record<string, readonly string[]>>): string {
  const groups = Map.groupBy(Object.keys(schemes), (network) => (schemes[network] ?? []).join(', '));
  const texts = [...groups].map(
    ([list, networks]) => `${list} on ${networks.map((id) => findNetwork(id)?.name ?? id).join(', ')}`,
  );
  return texts.join('; ');
}

/** Generates the text of docs/compliance.md from the compliance rules. */
export async function generateComplianceDocument(): Promise<string> {
  return formatMarkdown(formatDocument(RULE_TABLES));
}

/** Reads the existing file docs/compliance.md. */
export function readComplianceDocument(): string {
  return readFileSync(file, 'utf8');
}

if (import.meta.main) {
  writeFileSync(file, await generateComplianceDocument());
  console.log('Wrote docs/compliance.md.');
}
