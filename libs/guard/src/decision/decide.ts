import { HOUR_MS, formatConfidence, formatDecimal, formatScore, parseDecimal } from '@touchstone/common';
import { type Decimal, isGreater, readLimit } from '../decimal.ts';
import type { Decision, Reason } from './decision.ts';
import {
  type ProposedPayment,
  hasPublicName,
  readPaymentTerms,
  type PaymentTerms,
} from '../payment-terms.ts';
import { findOption, isCanonicalUsdc, toPriceUsd } from './offered-token.ts';
import { ACTIONS, type Action, type Policy } from './policy.ts';
import type { Lookup } from '../statement/lookup.ts';
import type { LookupFailure } from '../statement/statement.ts';
import { GRADES, type Recommendation, type Summary, type SummaryEndpoint } from '../statement/summary.ts';

export interface DecisionFacts {
  readonly payment: ProposedPayment;
  readonly lookup: Lookup;
  readonly policy: Policy;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  /** True if only the seller states the URL, and no request confirms the URL. */
  readonly isUrlClaimed?: boolean;
}

/** Facts that the rules compare: the valid payment, the found endpoint, and the policy. */
interface RuleFacts {
  readonly terms: PaymentTerms;
  readonly summary: Summary | null;
  readonly endpoint: SummaryEndpoint | null;
  readonly policy: Policy;
  readonly now: number;
  readonly isUrlClaimed: boolean;
  /** True if Touchstone has too few observations to judge a price. */
  readonly isUnknown: boolean;
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
  const toRuleFacts = (valid: PaymentTerms, statement: Summary | null): RuleFacts => ({
    ...{ terms: valid, summary: statement, endpoint: statement?.endpoint ?? null },
    ...{ policy, now, isUrlClaimed, isUnknown },
  });
  const judged = terms === null ? [] : apply(ALL_RULES, toRuleFacts(terms, summary));
  const reported = lookup.summary === null ? undefined : lookup.reported;
  const judgedAgain =
    terms === null || reported === undefined ? [] : apply(TERM_RULES, toRuleFacts(terms, reported));
  const reasons = keepStrictest([...failures, ...judged, ...judgedAgain]);
  const action = findStrictest(reasons.map((reason) => reason.action));
  return { action, reasons, payment, summary, source: lookup.summary === null ? null : lookup.source };
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

/** Returns the action for a URL or a recipient that Touchstone does not know. */
function toUnknownAction({ unknown, unverifiedUrl }: Policy, isUrlClaimed: boolean): Action {
  return isUrlClaimed ? findStrictest([unknown, unverifiedUrl]) : unknown;
}

function hasFewObservations({ summary, failure }: Lookup): boolean {
  if (summary === null) return failure.code === 'not-accepted';
  const { endpoint } = summary;
  if (endpoint === null || UNOBSERVED.includes(endpoint.recommendation)) return true;
  return endpoint.priceRange30d === null && endpoint.amountUsd === null;
}

type Rule = (facts: RuleFacts) => readonly Reason[];

/**
 * Rules that compare the payment terms. Some of these rules also apply without a statement (a signed response of
 * Touchstone).
 */
const TERM_RULES: readonly Rule[] = [judgePayTo, judgeAsset, judgePrice];
const ALL_RULES: readonly Rule[] = [judgeUnknown, judgeRating, judgeProbes, ...TERM_RULES];

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

function findStrictest(actions: readonly Action[]): Action {
  return actions.reduce((strictest, action) => (isStricter(action, strictest) ? action : strictest), 'pay');
}

function isStricter(left: Action, right: Action): boolean {
  return ACTIONS.indexOf(left) > ACTIONS.indexOf(right);
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
  return [{ code: 'unknown-endpoint', action, message: 'Touchstone does not know this endpoint.' }];
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

function judgePayTo({ terms, summary, endpoint, policy, isUrlClaimed }: RuleFacts): Reason[] {
  const payTo = summary?.payTo ?? null;
  if (endpoint === null || payTo === null) return [];
  if (payTo.current)
    return judgeChange(terms, payTo, isTemplate(summary, endpoint) ? 'pay' : policy.payToChanged);
  // The policy treats a replaced recipient like an unobserved one if the recipient depends on the URL or the request.
  const exception = isTemplate(summary, endpoint)
    ? policy.templatePayToMismatch
    : payTo.varies
      ? policy.varyingPayToMismatch
      : null;
  // Neither an unobserved recipient nor a recipient that varies confirms the URL that the seller claims.
  const toAction = (action: Action): Action =>
    isUrlClaimed && (payTo.varies || !payTo.observed)
      ? findStrictest([action, policy.unverifiedUrl])
      : action;
  const note = payTo.varies
    ? ' The recipient of this endpoint varies, so this recipient cannot be confirmed.'
    : '';
  if (payTo.observed) {
    const message = `The endpoint replaced the recipient ${terms.payTo} with another one.${note}`;
    return [{ code: 'pay-to-replaced', action: toAction(exception ?? policy.payToReplaced), message }];
  }
  if (endpoint.payOn.length === 0) {
    const message = 'Touchstone has observed no payment options of this endpoint.';
    return [{ code: 'unknown-terms', action: toUnknownAction(policy, isUrlClaimed), message }];
  }
  const message = `The recipient ${terms.payTo} was never observed at this endpoint.${note}`;
  return [{ code: 'pay-to-mismatch', action: toAction(exception ?? policy.payToMismatch), message }];
}

function judgeChange(
  { payTo }: PaymentTerms,
  known: NonNullable<Summary['payTo']>,
  action: Action,
): Reason[] {
  const { changedAt, before } = known;
  if (changedAt === null) return [];
  const change = before === null ? 'was added' : `replaced ${before}`;
  const message = `The recipient ${payTo} ${change} at ${changedAt}. Confirm the change with the seller.`;
  return [{ code: 'pay-to-changed', action, message }];
}

function judgeAsset({ terms, endpoint, policy }: RuleFacts): Reason[] {
  const { network, asset } = terms;
  const reasons: Reason[] = [];
  if (!isCanonicalUsdc(terms, endpoint)) {
    const message = `The token ${asset} is not known as the canonical USDC of the network ${network}.`;
    reasons.push({ code: 'token-not-usdc', action: policy.tokenNotUsdc, message });
  }
  if (endpoint !== null && endpoint.payOn.length > 0 && findOption(terms, endpoint) === null) {
    const message = `The endpoint does not offer payment in the token ${asset} on the network ${network}.`;
    reasons.push({ code: 'asset-mismatch', action: policy.assetMismatch, message });
  }
  return reasons;
}

function judgePrice(facts: RuleFacts): Reason[] {
  const { terms, endpoint, policy, isUnknown } = facts;
  const price = toPriceUsd(terms, endpoint);
  const limits = [
    {
      code: 'max-price',
      member: 'maxPriceUsd',
      limit: policy.maxPriceUsd,
      name: 'the highest price of your policy',
    },
    {
      code: 'max-unknown-price',
      member: 'maxUnknownPriceUsd',
      limit: isUnknown ? policy.maxUnknownPriceUsd : null,
      name: 'the highest price of your policy for an endpoint without enough observations',
    },
  ] as const;
  if (price === null) {
    const message = 'The price in US dollars is unknown, because the token is unknown.';
    const action = limits.every(({ limit }) => limit === null) ? 'warn' : 'abort';
    return [{ code: 'price-unknown', action, message }];
  }
  const reasons = limits.flatMap(({ code, member, limit, name }): Reason[] => {
    const max = limit === null ? null : readLimit(`policy.${member}`, limit);
    if (max === null || !isGreater(price, max)) return [];
    const message = `The price $${formatDecimal(price)} is above $${formatDecimal(max)}, ${name}.`;
    return [{ code, action: 'abort', message }];
  });
  return [...reasons, ...comparePrice(price, facts)];
}

/**
 * Compares a price with the highest price of the last 30 days. If that highest price is unknown, compares the price
 * with the advertised price.
 */
function comparePrice(price: Decimal, { summary, endpoint, policy }: RuleFacts): Reason[] {
  const high = parseDecimal(endpoint?.priceRange30d?.highUsd ?? '');
  const usual = high ?? parseDecimal(endpoint?.amountUsd ?? '');
  if (usual === null && endpoint !== null) {
    const message = 'Touchstone has observed no price of this endpoint.';
    return [{ code: 'unknown-terms', action: policy.unknown, message }];
  }
  if (usual === null || !isGreater(price, usual)) return [];
  const name = `$${formatDecimal(usual)}, ${high === null ? 'the advertised price' : 'the highest price of the last 30 days'}`;
  const varies = summary?.match === 'path' || isTemplate(summary, endpoint);
  const multiple = varies ? policy.maxTemplatePriceMultiple : policy.maxPriceMultiple;
  const start = `The price $${formatDecimal(price)} is`;
  const factor = multiple === null ? null : readLimit('policy.maxPriceMultiple', multiple);
  if (factor !== null && isGreater(price, multiply(usual, factor))) {
    const message = `${start} more than ${String(multiple)} times ${name}.`;
    return [{ code: 'price-multiple', action: 'abort', message }];
  }
  return [{ code: 'price-above-range', action: 'warn', message: `${start} above ${name}.` }];
}

function multiply(left: Decimal, right: Decimal): Decimal {
  return { digits: left.digits * right.digits, scale: left.scale + right.scale };
}

/** Returns true if terms may depend on the values in a URL template. */
function isTemplate(summary: Summary | null, endpoint: SummaryEndpoint | null): boolean {
  return summary?.match === 'template' || endpoint?.templated === true;
}
