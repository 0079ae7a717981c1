import { formatDecimal } from '@touchstone/common';
import { isGreater, multiply, readLimit } from '../decimal.ts';
import type { Reason } from './decision.ts';
import { toPriceUsd } from './offered-token.ts';
import type { RuleFacts } from './rule.ts';

/** Judges the payment method: scheme, network and lifetime, which do not depend on a statement of Touchstone. */
export function judgeMethod({ terms, policy }: RuleFacts): Reason[] {
  const { scheme, network, lifetimeSeconds } = terms;
  const { schemes, networks, maxLifetimeSeconds } = policy;
  const reasons: Reason[] = [];
  const refuse = (code: Reason['code'], message: string) => reasons.push({ code, action: 'abort', message });
  if (scheme !== null && !schemes.includes(scheme))
    refuse('scheme', `The scheme ${scheme} is not one of policy.schemes: ${schemes.join(', ')}.`);
  if (networks !== null && !networks.includes(network))
    refuse('network', `The network ${network} is not one of policy.networks: ${networks.join(', ')}.`);
  if (maxLifetimeSeconds !== null && lifetimeSeconds !== null && !(lifetimeSeconds <= maxLifetimeSeconds))
    refuse(
      'lifetime',
      `The seller could collect the payment for ${lifetimeSeconds} seconds. The limit is ${maxLifetimeSeconds} (policy.maxLifetimeSeconds).`,
    );
  return reasons;
}

/** Judges the deposit of a payment channel. */
export function judgeDeposit({ terms, policy: { maxDepositMultiple: max } }: RuleFacts): Reason[] {
  if (max === null) return [];
  const { amount, signedAmount } = terms;
  const limit = multiply({ digits: amount, scale: 0 }, readLimit('policy.maxDepositMultiple', max));
  if (!isGreater({ digits: signedAmount, scale: 0 }, limit)) return [];
  const message = `The signed deposit of ${signedAmount} atomic units is more than ${String(max)} times the price of ${amount} (policy.maxDepositMultiple).`;
  return [{ code: 'deposit', action: 'abort', message }];
}

/** Judges a payment to a host without a known endpoint. Nothing is known about the seller, so the amount must be small. */
export function judgeUnknownHost({ terms, summary, endpoint, policy, isUnknownHost }: RuleFacts): Reason[] {
  const { host, hostname } = new URL(terms.resource);
  const reasons: Reason[] = [];
  const resembles = summary?.unknownHost?.resembles ?? null;
  if (resembles !== null && !policy.knownHosts.includes(host)) {
    const message = `Touchstone does not know this endpoint, and the name of ${hostname} resembles ${resembles}, a known host of another owner. If you know this seller, add the host to policy.knownHosts.`;
    reasons.push({ code: 'lookalike', action: policy.lookalike, message });
  }
  const { maxFirstPaymentUsd: max } = policy;
  if (!isUnknownHost || max === null) return reasons;
  const { amount, signedAmount } = terms;
  const signed = toPriceUsd({ ...terms, amount: signedAmount > amount ? signedAmount : amount }, endpoint);
  const limit = readLimit('policy.maxFirstPaymentUsd', max);
  if (signed === null) {
    const message = `Touchstone does not know ${hostname}, and the price in US dollars is unknown.`;
    return [...reasons, { code: 'first-payment', action: 'abort', message }];
  }
  if (!isGreater(signed, limit)) return reasons;
  const message = `Touchstone does not know ${hostname}. The payment of $${formatDecimal(signed)} is above $${formatDecimal(limit)}, the limit for unknown hosts (policy.maxFirstPaymentUsd). If you know this seller, add the host to policy.knownHosts.`;
  return [...reasons, { code: 'first-payment', action: 'abort', message }];
}
