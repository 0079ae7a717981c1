import { type Rule, type RuleInput, describeReference } from './rule.ts';
import { BAZAAR_RULES } from './extensions/bazaar-rules.ts';
import { EXTENSION_RULES } from './extensions/extension-rules.ts';
import { FACILITATOR_RULES } from './facilitators/facilitator-rules.ts';
import { HTTP_RULES } from './http/http-rules.ts';
import { LISTING_RULES } from './listing/listing-rules.ts';
import { MIXED_RULES } from './mixed/mixed-rules.ts';
import { V1_OPTION_RULES } from './v1/v1-option-rules.ts';
import { V1_RULES } from './v1/v1-rules.ts';
import { V2_ACCEPTS_RULES, V2_HEADER_RULES } from './v2/header-rules.ts';
import { V2_ASSET_PAYEE_RULES } from './v2/asset-payee-rules.ts';
import { V2_RESOURCE_RULES } from './v2/resource-rules.ts';
import { V2_GATEWAY_RULES } from './v2/gateway-rules.ts';
import { V2_OPTION_LIST_RULES } from './v2/option-list-rules.ts';
import { V2_SIGNING_RULES } from './v2/signing-rules.ts';
import { V2_OPTION_RULES } from './v2/option-rules.ts';
import type { Challenge, Check } from '../types.ts';

/** Rules on one part of a response. The compliance document has one section for each table. */
export interface RuleTable {
  readonly title: string;
  readonly rules: readonly Rule[];
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
      ...V2_GATEWAY_RULES,
    ],
  },
  { title: 'Extensions', rules: EXTENSION_RULES },
  { title: 'Discovery extension (bazaar)', rules: BAZAAR_RULES },
  { title: 'Limits of facilitators', rules: FACILITATOR_RULES },
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
  const { id, level, requirement: message, fix } = rule;
  const [axis, severity] = level;
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
    axis: outcome.axis ?? rule.level[0],
    severity: outcome.severity ?? rule.level[1],
    result: 'fail',
    message: outcome.message,
    fix: rule.fix,
    reference,
  };
}

/**
 * Summarizes all checks as one verdict. If no payment would settle, the verdict is `unpayable`, or `undetermined` if
 * the response does not show whether a payment would settle. Otherwise an error on the payable axis gives `errors`, and
 * other failures on the payable or hygiene axis give `warnings`. Failures on the discoverable axis and failures of
 * severity `info` do not count.
 *
 * @param isBodyUnknown true when a body that clients read was not read because of its size
 */
export function toVerdict(
  checks: readonly Check[],
  settles: Challenge['settles'],
  isBodyUnknown: boolean,
): Challenge['verdict'] {
  if (!settles.v1 && !settles.v2)
    return isBodyUnknown || isInconclusive(checks) ? 'undetermined' : 'unpayable';
  const failed = checks.filter(
    ({ result, axis, severity }) => result === 'fail' && axis !== 'discoverable' && severity !== 'info',
  );
  if (failed.some(({ axis, severity }) => axis === 'payable' && severity === 'error')) return 'errors';
  return failed.length > 0 ? 'warnings' : 'pass';
}

/** Rules whose errors show that the endpoint cannot be paid, although its status was not compared with 402. */
const OUTAGE_RULES = ['http-reachable', 'http-not-5xx', 'http-no-redirect'];

/** Returns true when the status of a response does not show whether the endpoint requires payment. */
function isInconclusive(checks: readonly Check[]): boolean {
  if (checks.find(({ id }) => id === 'http-status-402')?.result !== 'skip') return false;
  return !checks.some(
    ({ id, result, severity }) => OUTAGE_RULES.includes(id) && result === 'fail' && severity === 'error',
  );
}
