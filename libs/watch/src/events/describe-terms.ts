import type { WatchAlert } from '@touchstone/contract';
import { findNetwork, normalizeAddress } from '@touchstone/x402';
import { toTokenKey, type EventOption, type EventTerms } from './select-options.ts';
import { joinParts, value, type Sentence } from './sentence.ts';

/** Maximum number of differences that a sentence names. */
const MAX_NAMED = 3;
const UNKNOWN: Sentence = ['The payment terms changed.'];

type Sides = readonly [before: readonly EventOption[], after: readonly EventOption[]];

/** Describes a change of payment terms in one or a few sentences. */
export function describeTerms(
  type: WatchAlert['type'],
  before: EventTerms | null,
  after: EventTerms | null,
): Sentence {
  if (before === null || after === null) return UNKNOWN;
  const sides: Sides = [before.options, after.options];
  if (type === 'price_change') return describePrices(sides);
  if (type === 'payto_change') return describePayTo(sides);
  const difference = { sides, toKey: toTokenKey, toName: formatToken };
  return describeDifference('The payment options changed.', difference);
}

function describePayTo(sides: Sides): Sentence {
  const toKey = (option: EventOption): string =>
    `${toTokenKey(option)} ${normalizeAddress(option.network, option.pay_to)}`;
  const [removed, added] = findDifferences(sides, toKey);
  const [from] = removed;
  const [to] = added;
  const isReplaced = removed.length === 1 && added.length === 1;
  if (isReplaced && from !== undefined && to !== undefined && toTokenKey(from) === toTokenKey(to)) {
    const change = [' changed from ', value(from.pay_to), ' to ', value(to.pay_to), '.'];
    return ['The address that receives ', ...formatToken(to), ...change];
  }
  const toName = (option: EventOption): Sentence => [value(option.pay_to), ' (', ...formatToken(option), ')'];
  return describeDifference('The addresses that receive the payments changed.', { sides, toKey, toName });
}

function describePrices([before, after]: Sides): Sentence {
  const changes = before.flatMap((option, index) => {
    const key = toTokenKey(option);
    // Clients pay with the first option of a token.
    if (before.findIndex((other) => toTokenKey(other) === key) !== index) return [];
    const next = after.find((other) => toTokenKey(other) === key);
    if (next === undefined || next.amount === option.amount) return [];
    return [[...formatPrice(option), ' to ', ...formatPrice(next), ' in ', ...formatToken(next)]];
  });
  if (changes.length === 0) return UNKNOWN;
  const named = joinParts(changes.slice(0, MAX_NAMED), '; from ');
  return ['The price changed from ', ...named, changes.length > MAX_NAMED ? '; and others.' : '.'];
}

interface Difference {
  readonly sides: Sides;
  readonly toKey: (option: EventOption) => string;
  readonly toName: (option: EventOption) => Sentence;
}

function describeDifference(start: string, { sides, toKey, toName }: Difference): Sentence {
  const [removed, added] = findDifferences(sides, toKey);
  if (removed.length + added.length === 0) return UNKNOWN;
  const list = (verb: string, options: readonly EventOption[]): Sentence => {
    if (options.length === 0) return [];
    const named = joinParts(options.slice(0, MAX_NAMED).map(toName), ', ');
    return [` ${verb}: `, ...named, options.length > MAX_NAMED ? ' and others.' : '.'];
  };
  return [start, ...list('Removed', removed), ...list('Added', added)];
}

/** Returns the options whose key occurs on one side only, the first one of each key. */
function findDifferences(
  [before, after]: Sides,
  toKey: (option: EventOption) => string,
): readonly [removed: readonly EventOption[], added: readonly EventOption[]] {
  const findMissing = (options: readonly EventOption[], others: readonly EventOption[]) => {
    const seen = new Set(others.map(toKey));
    return options.filter((option) => {
      const isMissing = !seen.has(toKey(option));
      seen.add(toKey(option));
      return isMissing;
    });
  };
  return [findMissing(before, after), findMissing(after, before)];
}

function formatToken({ network, asset, asset_symbol: symbol }: EventOption): Sentence {
  return [value(symbol ?? asset), ' on ', findNetwork(network)?.name ?? value(network)];
}

/** Formats a price in US dollars, or in atomic units if the dollar price is unknown. */
function formatPrice({ amount_usd: usd, amount }: EventOption): Sentence {
  // Six decimals are shortened to at least two: $0.01, $0.0015.
  if (usd !== null) return [`$${usd.replace(/0{1,4}$/, '')}`];
  return [amount === null ? 'an unreadable amount' : `${amount} atomic units`];
}
