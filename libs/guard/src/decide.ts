import { formatDecimal, isGreater, multiply, parseDecimal, readLimit } from './decimal.ts';
import type { Decision, ProposedPayment, Reason } from './decision.ts';
import { findOption, isCanonicalUsdc, toPriceUsd } from './price.ts';
import { readPaymentTerms, type PaymentTerms } from './payment-terms.ts';
import { ACTIONS, GRADES, type Action, type Policy } from './policy.ts';
import type { Summary, SummaryEndpoint } from './summary.ts';

/** Result of a lookup. `failure` is the reason why there is no summary, or no report beside the summary. */
export type Lookup =
  | {
      readonly summary: Summary;
      readonly source: 'summary' | 'report';
      readonly failure?: LookupFailure;
    }
  | { readonly summary: null; readonly failure: LookupFailure };

export interface LookupFailure {
  readonly code:
    'invalid-payment' | 'unreachable' | 'invalid-signature' | 'wrong-statement' | 'stale-statement';
  readonly message: string;
}

export interface DecisionFacts {
  readonly payment: ProposedPayment;
  readonly lookup: Lookup;
  readonly policy: Policy;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

/** Valid payment, found endpoint and policy: the facts that rules compare. */
interface Case {
  readonly terms: PaymentTerms;
  readonly summary: Summary | null;
  readonly endpoint: SummaryEndpoint | null;
  readonly policy: Policy;
  readonly now: number;
}

const HOUR_MS = 3_600_000;

export const MALFORMED_PAYMENT: LookupFailure = {
  code: 'invalid-payment',
  message:
    'The payment terms are malformed: an http(s) URL, a network, a token, a recipient and an amount in atomic units are required.',
};

/** Decides on a payment by a policy. Pure: the same facts lead to the same decision. */
export function decide({ payment, lookup, policy, now }: DecisionFacts): Decision {
  const { summary, failure } = lookup;
  const terms = readPaymentTerms(payment);
  const fault = terms === null && failure?.code !== 'invalid-payment' ? MALFORMED_PAYMENT : failure;
  const failures = fault === undefined ? [] : [toReason(fault, policy)];
  const judged =
    terms === null ? [] : judge({ terms, summary, endpoint: summary?.endpoint ?? null, policy, now });
  const reasons = [...failures, ...judged].filter(({ action }) => action !== 'pay');
  const source = lookup.summary === null ? null : lookup.source;
  return { action: findStrictest(reasons), reasons, payment, summary, source };
}

function toReason({ code, message }: LookupFailure, policy: Policy): Reason {
  return { code, message, action: code === 'unreachable' ? policy.unreachable : 'abort' };
}

/** Applies every rule. Rules that need no statement also apply without one. */
function judge(facts: Case): readonly Reason[] {
  return [judgeUnknown, judgeVerdict, judgeProbes, judgePayTo, judgeAsset, judgePrice].flatMap((rule) =>
    rule(facts),
  );
}

function findStrictest(reasons: readonly Reason[]): Action {
  return reasons.reduce<Action>(
    (strictest, { action }) => (ACTIONS.indexOf(action) > ACTIONS.indexOf(strictest) ? action : strictest),
    'pay',
  );
}

function judgeUnknown({ summary, endpoint, policy }: Case): Reason[] {
  if (summary === null || endpoint !== null) return [];
  const message = 'Touchstone does not know this endpoint.';
  return [{ code: 'unknown-endpoint', action: policy.unknown, message }];
}

function judgeVerdict({ endpoint, policy }: Case): Reason[] {
  if (endpoint === null) return [];
  const { recommendation, grade, score, confidence } = endpoint;
  const { minGrade, minScore, minConfidence } = policy;
  const reasons: Reason[] = [
    {
      code: 'recommendation',
      action: policy.recommendations[recommendation],
      message: `Touchstone's recommendation for this endpoint is "${recommendation}" (grade ${grade}, score ${score}).`,
    },
  ];
  const isBelow = (code: Reason['code'], message: string) => reasons.push({ code, action: 'abort', message });
  if (minGrade !== null && GRADES.indexOf(grade) > GRADES.indexOf(minGrade))
    isBelow('min-grade', `Its grade ${grade} is below ${minGrade}, the lowest grade of your policy.`);
  if (minScore !== null && score < minScore)
    isBelow('min-score', `Its score ${score} is below ${minScore}, the lowest score of your policy.`);
  if (minConfidence !== null && confidence < minConfidence)
    isBelow(
      'min-confidence',
      `The confidence ${confidence} is below ${minConfidence}, the lowest of your policy.`,
    );
  return reasons;
}

function judgeProbes({ endpoint, policy: { maxAgeHours }, now }: Case): Reason[] {
  const lastProbedAt = endpoint?.lastProbedAt ?? null;
  if (lastProbedAt === null || maxAgeHours === null) return [];
  if (now - Date.parse(lastProbedAt) <= maxAgeHours * HOUR_MS) return [];
  const message = `The latest probe of this endpoint was at ${lastProbedAt}, more than ${maxAgeHours} hours ago.`;
  return [{ code: 'stale-probes', action: 'warn', message }];
}

function judgePayTo({ terms, summary, endpoint, policy }: Case): Reason[] {
  const payTo = summary?.payTo ?? null;
  if (endpoint === null || payTo === null || payTo.current) return [];
  if (payTo.observed) {
    const since = payTo.replacedAt === null ? '' : ` at ${payTo.replacedAt}`;
    const message = `The endpoint replaced the recipient ${terms.payTo}${since} with another one.`;
    return [{ code: 'pay-to-replaced', action: policy.payToReplaced, message }];
  }
  if (endpoint.payOn.length === 0) {
    const message = 'Touchstone has observed no payment options of this endpoint.';
    return [{ code: 'unknown-terms', action: policy.unknown, message }];
  }
  const message = `The recipient ${terms.payTo} was never observed at this endpoint.`;
  const action = isTemplate(summary, endpoint) ? policy.templatePayToMismatch : policy.payToMismatch;
  return [{ code: 'pay-to-mismatch', action, message }];
}

function judgeAsset({ terms, endpoint, policy }: Case): Reason[] {
  const { network, asset } = terms;
  const action = policy.assetMismatch;
  if (!isCanonicalUsdc(terms, endpoint)) {
    const message = `The token ${asset} is not known as the canonical USDC of the network ${network}.`;
    return [{ code: 'asset-mismatch', action, message }];
  }
  if (endpoint === null || endpoint.payOn.length === 0 || findOption(terms, endpoint) !== null) return [];
  const message = `The endpoint does not offer payment in the token ${asset} on the network ${network}.`;
  return [{ code: 'asset-mismatch', action, message }];
}

function judgePrice({ terms, summary, endpoint, policy }: Case): Reason[] {
  const { maxPriceUsd, maxPriceMultiple } = policy;
  const price = toPriceUsd(terms, endpoint);
  if (price === null) {
    const message = 'The price in US dollars is unknown, because the token is unknown.';
    return [{ code: 'price-unknown', action: maxPriceUsd === null ? 'warn' : 'abort', message }];
  }
  const reasons: Reason[] = [];
  const max = maxPriceUsd === null ? null : readLimit('policy.maxPriceUsd', maxPriceUsd);
  if (max !== null && isGreater(price, max)) {
    const message = `The price $${formatDecimal(price)} is above $${formatDecimal(max)}, the highest price of your policy.`;
    reasons.push({ code: 'max-price', action: 'abort', message });
  }
  const usual = parseDecimal(endpoint?.priceRange30d?.highUsd ?? endpoint?.amountUsd ?? '');
  if (usual === null || maxPriceMultiple === null || isTemplate(summary, endpoint)) return reasons;
  if (isGreater(price, multiply(usual, readLimit('policy.maxPriceMultiple', maxPriceMultiple)))) {
    const message = `The price $${formatDecimal(price)} is more than ${String(maxPriceMultiple)} times the usual price $${formatDecimal(usual)}.`;
    reasons.push({ code: 'price-multiple', action: summary?.match === 'path' ? 'warn' : 'abort', message });
  }
  return reasons;
}

/** Returns true if terms may depend on the values in a URL template. */
function isTemplate(summary: Summary | null, endpoint: SummaryEndpoint | null): boolean {
  return summary?.match === 'template' || endpoint?.templated === true;
}
