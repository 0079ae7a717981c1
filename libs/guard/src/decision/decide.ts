import { HOUR_MS, formatConfidence, formatScore } from '@touchstone/common';
import {
  type ProposedPayment,
  hasPublicName,
  isPublicResource,
  readPaymentTerms,
  type PaymentTerms,
} from '../payment-terms.ts';
import type { Lookup } from '../statement/lookup.ts';
import type { LookupFailure } from '../statement/statement.ts';
import { GRADES, type Recommendation, type Summary } from '../statement/summary.ts';
import type { Decision, Reason } from './decision.ts';
import { judgeDeposit, judgeMethod, judgeUnknownHost } from './payment-rules.ts';
import type { Policy } from './policy.ts';
import { judgePrice } from './price-rules.ts';
import { findStrictest, isStricter, type Rule, type RuleFacts, toUnknownAction } from './rule.ts';
import { judgeAsset, judgePayTo } from './term-rules.ts';

export interface DecisionFacts {
  readonly payment: ProposedPayment;
  readonly lookup: Lookup;
  readonly policy: Policy;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  /** True if only the seller states the URL, and no request confirms the URL. */
  readonly isUrlClaimed?: boolean;
}

/** Recommendations of endpoints that were observed too little, or that never asked for a payment. */
const UNOBSERVED: readonly Recommendation[] = ['free', 'unverified'];

export const MALFORMED_PAYMENT: LookupFailure = {
  code: 'invalid-payment',
  message:
    'The payment terms are malformed: an http(s) URL, a network, a token, a recipient and an amount in atomic units are required.',
};

/** Decides on a payment by a policy. Pure: the same facts lead to the same decision. */
export function decide({ payment, lookup, policy, now, isUrlClaimed = false }: DecisionFacts): Decision {
  const { summary, failure } = lookup;
  const terms = readPaymentTerms(payment);
  const obstacle = terms === null && failure?.code !== 'invalid-payment' ? MALFORMED_PAYMENT : failure;
  const failures = obstacle === undefined ? [] : [toReason(obstacle, { terms, policy, isUrlClaimed })];
  const isUnknown = hasFewObservations(lookup);
  const isUnknownHost = terms !== null && isHostUnknown(terms, lookup, policy);
  const toRuleFacts = (valid: PaymentTerms, statement: Summary | null): RuleFacts => ({
    ...{ terms: valid, summary: statement, endpoint: statement?.endpoint ?? null },
    ...{ policy, now, isUrlClaimed, isUnknown },
    isUnknownHost,
  });
  const judged = terms === null ? [] : apply(ALL_RULES, toRuleFacts(terms, summary));
  const reported = lookup.summary === null ? undefined : lookup.reported;
  const judgedAgain =
    terms === null || reported === undefined ? [] : apply(TERM_RULES, toRuleFacts(terms, reported));
  const reasons = keepStrictest([...failures, ...judged, ...judgedAgain]);
  const action = findStrictest(reasons.map((reason) => reason.action));
  return {
    action,
    reasons,
    payment,
    summary,
    isUnknownHost,
    source: lookup.summary === null ? null : lookup.source,
  };
}

interface FailureFacts {
  readonly terms: PaymentTerms | null;
  readonly policy: Policy;
  readonly isUrlClaimed: boolean;
}

function toReason({ code, message }: LookupFailure, { terms, policy, isUrlClaimed }: FailureFacts): Reason {
  if (code === 'unreachable') return { code, message, action: policy.unreachable };
  if (code !== 'not-accepted' || terms === null) return { code, message, action: 'abort' };
  const action = toUnknownAction(policy, isUrlClaimed);
  // The response that refuses the URL is not signed. If Touchstone may know the endpoint, the action for an unreachable
  // service also applies.
  if (hasPublicName(terms.resource))
    return { code, message, action: findStrictest([action, policy.unreachable]) };
  return { code, message, action };
}

/**
 * Returns true if Touchstone knows no endpoint of a public host. Touchstone accepts no URL of an IP address, so a public IP
 * address is also such a host.
 */
function isHostUnknown(
  { resource }: PaymentTerms,
  { summary, failure }: Lookup,
  { knownHosts }: Policy,
): boolean {
  if (!isPublicResource(resource) || knownHosts.includes(new URL(resource).host)) return false;
  if (summary === null) return failure.code === 'not-accepted';
  return summary.endpoint === null && (summary.unknownHost?.knownEndpoints ?? 0) === 0;
}

function hasFewObservations({ summary, failure }: Lookup): boolean {
  if (summary === null) return failure.code === 'not-accepted' || failure.code === 'unreachable';
  const { endpoint } = summary;
  if (endpoint === null || UNOBSERVED.includes(endpoint.recommendation)) return true;
  return endpoint.priceRange30d === null && endpoint.amountUsd === null;
}

/**
 * Rules that compare the payment terms. Some of these rules also apply without a statement (a signed response of
 * Touchstone).
 */
const TERM_RULES: readonly Rule[] = [judgePayTo, judgeAsset, judgePrice];
const ALL_RULES: readonly Rule[] = [
  ...[judgeUnknown, judgeUnknownHost, judgeRating, judgeProbes, judgeMethod, judgeDeposit],
  ...TERM_RULES,
];

function apply(rules: readonly Rule[], facts: RuleFacts): readonly Reason[] {
  return rules.flatMap((rule) => rule(facts));
}

/** Removes reasons without an effect. Of several reasons with the same code, keeps the strictest reason. */
function keepStrictest(reasons: readonly Reason[]): readonly Reason[] {
  const kept = new Map<Reason['code'], Reason>();
  for (const reason of reasons) {
    const { action } = kept.get(reason.code) ?? { action: 'pay' };
    if (isStricter(reason.action, action)) kept.set(reason.code, reason);
  }
  return [...kept.values()];
}

function judgeUnknown({ summary, endpoint, policy, isUrlClaimed }: RuleFacts): Reason[] {
  if (summary === null || endpoint !== null) return [];
  const action = toUnknownAction(policy, isUrlClaimed);
  if (summary.optedOutAt !== null) {
    const message = `Its provider opted out of probing at ${summary.optedOutAt}.`;
    return [{ code: 'opted-out', action: findStrictest([action, policy.optedOut]), message }];
  }
  if (isUrlClaimed) {
    const message = `Touchstone does not know ${summary.requested.resource}, the URL that the seller claims.`;
    return [{ code: 'unverified-url', action, message }];
  }
  const isCompared = summary.unknownHost?.isCompared !== false;
  const note = isCompared ? '' : ' A look-up by range does not recognize imitations of known hosts.';
  return [{ code: 'unknown-endpoint', action, message: `Touchstone does not know this endpoint.${note}` }];
}

function judgeRating({ endpoint, policy }: RuleFacts): Reason[] {
  if (endpoint === null) return [];
  const { recommendation, grade, score, confidence } = endpoint;
  const { minGrade, minScore, minConfidence } = policy;
  const rating = grade === '?' ? 'no grade' : `grade ${grade}, score ${formatScore(score)}`;
  const reasons: Reason[] = [
    {
      code: 'recommendation',
      action: policy.recommendations[recommendation],
      message: `Touchstone's recommendation for this endpoint is "${recommendation}" (${rating}).`,
    },
  ];
  const refuse = (code: Reason['code'], message: string) => reasons.push({ code, action: 'abort', message });
  if (minGrade !== null && GRADES.indexOf(grade) > GRADES.indexOf(minGrade))
    refuse('min-grade', `Its grade ${grade} is below ${minGrade}, the lowest grade of your policy.`);
  if (minScore !== null && score < minScore)
    refuse(
      'min-score',
      `Its score ${formatScore(score)} is below ${minScore}, the lowest score of your policy.`,
    );
  if (minConfidence !== null && confidence < minConfidence)
    refuse(
      'min-confidence',
      `The confidence, ${formatConfidence(confidence)}, is below ${minConfidence}, the lowest of your policy.`,
    );
  return reasons;
}

function judgeProbes({ endpoint, policy: { maxAgeHours }, now }: RuleFacts): Reason[] {
  if (endpoint === null || maxAgeHours === null) return [];
  const { lastProbedAt } = endpoint;
  if (lastProbedAt === null) {
    const message = 'Touchstone has never probed this endpoint.';
    return [{ code: 'stale-probes', action: 'warn', message }];
  }
  if (now - Date.parse(lastProbedAt) <= maxAgeHours * HOUR_MS) return [];
  const message = `The latest probe of this endpoint was at ${lastProbedAt}, more than ${maxAgeHours} hours ago.`;
  return [{ code: 'stale-probes', action: 'warn', message }];
}
