import { type Rule, SOURCES, type Reference, type RuleInput, describeReference } from './rule.ts';
import { BAZAAR_RULES } from './extensions/bazaar-rules.ts';
import { EXTENSION_RULES } from './extensions/extension-rules.ts';
import { HTTP_RULES } from './http/http-rules.ts';
import { LISTING_RULES } from './listing/listing-rules.ts';
import { MIXED_RULES } from './mixed/mixed-rules.ts';
import { V1_OPTION_RULES } from './v1/v1-option-rules.ts';
import { V1_RULES } from './v1/v1-rules.ts';
import { V2_ACCEPTS_RULES, V2_HEADER_RULES } from './v2/header-rules.ts';
import { V2_ASSET_PAYEE_RULES } from './v2/asset-payee-rules.ts';
import { V2_OPTION_LIST_RULES } from './v2/option-list-rules.ts';
import { V2_RESOURCE_RULES } from './v2/resource-rules.ts';
import { V2_SIGNING_RULES } from './v2/signing-rules.ts';
import { V2_OPTION_RULES } from './v2/option-rules.ts';
import type { Challenge, Check } from '../types.ts';

/** Title and rules of one section of the compliance document. */
interface RuleTable {
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

The reference clients decide whether a client would pay: their checks are repeated step by step before the rules run
([reasons](decisions/0010-define-payable-by-the-reference-clients.md)). For a more or less serious case, a rule can fail with a
different severity or axis than listed here; the finding names them. The last section has the links to the sources.`;

/** Returns the rule tables as a Markdown document, before formatting by oxfmt. */
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
  const entries = rules.map(
    ({ id, axis, severity, requirement, fix, reference }) =>
      `- **\`${id}\`** (${axis}, ${severity}): ${requirement} Fix: ${fix} Source: ${formatCitation(reference)}.`,
  );
  return [`## ${title}`, '', ...entries].join('\n').replaceAll('<', '&lt;');
}

function formatCitation({ source, clause }: Reference): string {
  const { title } = SOURCES[source];
  return clause === '' ? title : `${title}, ${clause}`;
}

/** All compliance rules in report order, grouped into tables. A new rule is a new row in one of these tables. */
export const RULE_TABLES: readonly RuleTable[] = [
  { title: 'HTTP response', rules: HTTP_RULES },
  { title: 'PAYMENT-REQUIRED header', rules: V2_HEADER_RULES },
  { title: 'Version 2: resource', rules: V2_RESOURCE_RULES },
  {
    title: 'Version 2: payment options',
    rules: [
      ...V2_ACCEPTS_RULES,
      ...V2_OPTION_RULES,
      ...V2_ASSET_PAYEE_RULES,
      ...V2_SIGNING_RULES,
      ...V2_OPTION_LIST_RULES,
    ],
  },
  { title: 'Extensions', rules: EXTENSION_RULES },
  { title: 'Discovery extension (bazaar)', rules: BAZAAR_RULES },
  { title: 'Version 1: body', rules: [...V1_RULES, ...V1_OPTION_RULES] },
  { title: 'Both versions, and other payment protocols', rules: MIXED_RULES },
  { title: 'Response and directory listing', rules: LISTING_RULES },
];

export const RULES: readonly Rule[] = RULE_TABLES.flatMap(({ rules }) => rules);

/** Rule with the two results that are the same for every response: passed and skipped. */
interface PreparedRule {
  readonly rule: Rule;
  readonly reference: string;
  readonly passed: Check;
  readonly skipped: Check;
}

const PREPARED_RULES: readonly PreparedRule[] = RULES.map((rule) => {
  const { id, axis, severity, requirement: message, fix } = rule;
  const reference = describeReference(rule.reference);
  const check = { id, axis, severity, message, fix, reference };
  return {
    rule,
    reference,
    passed: Object.freeze({ ...check, result: 'pass' }),
    skipped: Object.freeze({ ...check, result: 'skip' }),
  };
});

/** Runs every rule on one response. Returns one check per rule, in table order. */
export function runChecks(input: RuleInput): Check[] {
  const isChallenge = input.status === 402 || input.header.state === 'read' || input.v1 !== null;
  return PREPARED_RULES.map((prepared) =>
    isChallenge || prepared.rule.appliesToEveryResponse === true
      ? runRule(prepared, input)
      : prepared.skipped,
  );
}

function runRule({ rule, reference, passed, skipped }: PreparedRule, input: RuleInput): Check {
  const outcome = rule.check(input);
  if (outcome === 'skip') return skipped;
  if (outcome === 'pass') return passed;
  if ('skipReason' in outcome) return { ...skipped, skipReason: outcome.skipReason };
  return {
    id: rule.id,
    axis: outcome.axis ?? rule.axis,
    severity: outcome.severity ?? rule.severity,
    result: 'fail',
    message: outcome.message,
    fix: rule.fix,
    reference,
  };
}

/**
 * Summarizes all checks as one verdict. A challenge without a payment that settles is `unpayable`, or `undetermined` if
 * the status does not show whether payment is required. Otherwise an error on the payable axis gives `errors`, and other
 * failures on the payable or hygiene axis give `warnings`. Failures on the discoverable axis and failures of severity
 * `info` do not count.
 */
export function toVerdict(checks: readonly Check[], settles: Challenge['settles']): Challenge['verdict'] {
  if (!settles.v1 && !settles.v2) return isInconclusive(checks) ? 'undetermined' : 'unpayable';
  const failed = checks.filter(
    ({ result, axis, severity }) => result === 'fail' && axis !== 'discoverable' && severity !== 'info',
  );
  if (failed.some(({ axis, severity }) => axis === 'payable' && severity === 'error')) return 'errors';
  return failed.length > 0 ? 'warnings' : 'pass';
}

/** Returns true when the status of a response does not show whether the endpoint requires payment. */
function isInconclusive(checks: readonly Check[]): boolean {
  const findResult = (id: string): Check['result'] | undefined =>
    checks.find((check) => check.id === id)?.result;
  return findResult('http-reachable') === 'pass' && findResult('http-status-402') === 'skip';
}
