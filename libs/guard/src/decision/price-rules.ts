import { formatDecimal, parseDecimal } from '@touchstone/common';
import { type Decimal, isGreater, multiply, readLimit } from '../decimal.ts';
import type { Reason } from './decision.ts';
import { toPriceUsd } from './offered-token.ts';
import { isTemplate, type RuleFacts } from './rule.ts';

export function judgePrice(facts: RuleFacts): Reason[] {
  const { terms, endpoint, policy, isUnknown } = facts;
  const { amount, signedAmount } = terms;
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
  // A deposit is more money than the price, and the seller holds it.
  const isDeposit = signedAmount > amount;
  const cost = isDeposit ? { ...price, digits: signedAmount } : price;
  const reasons = limits.flatMap(({ code, member, limit, name }): Reason[] => {
    const max = limit === null ? null : readLimit(`policy.${member}`, limit);
    if (max === null || !isGreater(cost, max)) return [];
    const message = `The ${isDeposit ? 'deposit' : 'price'} $${formatDecimal(cost)} is above $${formatDecimal(max)}, ${name}.`;
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
