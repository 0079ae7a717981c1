import {
  joinParts,
  markUnverified,
  TEXT_LIMITS,
  type ComparedTerms,
  type Sentence,
  type WatchedState,
} from '@touchstone/contract';
import { cleanText, findNetwork, normalizeAddress } from '@touchstone/x402';
import type { StoredOption, StoredTerms } from './log-entry.ts';

type EventTerms = Extract<WatchedState, { readonly options: unknown }>;
type EventOption = EventTerms['options'][number];

interface Terms {
  readonly before: StoredTerms | null;
  readonly after: StoredTerms | null;
}

/** Returns a key that is equal for two options with the same token on the same network. */
function toTokenKey({ network, asset }: { readonly network: string; readonly asset: string }): string {
  return JSON.stringify([network, normalizeAddress(network, asset)]);
}

/** Returns a key that is equal for two options which agree in the compared terms. */
function toIdentity(compares: ComparedTerms, option: StoredOption): string {
  const token = toTokenKey(option);
  if (compares === 'price') return `${token} ${option.amount ?? '?'}`;
  return compares === 'payTo' ? `${token} ${normalizeAddress(option.network, option.payTo)}` : token;
}

/**
 * Selects the payment options that an event lists on its two sides: before and after the change. Options that differ
 * come first, then as many common options as fit on both sides. So an option that only one side lists is always a
 * difference.
 *
 * @param limit maximum number of options on each side
 */
export function selectOptions(
  compares: ComparedTerms,
  { before, after }: Terms,
  limit: number,
): { readonly before: EventTerms | null; readonly after: EventTerms | null } {
  const groupByKey = (terms: StoredTerms | null): Groups =>
    Map.groupBy(terms?.options ?? [], (option) => toIdentity(compares, option));
  const sides = [groupByKey(before), groupByKey(after)] as const;
  const common = selectCommon(sides, limit);
  const toTerms = (terms: StoredTerms, [own, other]: readonly [Groups, Groups]): EventTerms => {
    const different = [...own].filter(([key]) => !other.has(key));
    const same = [...own].filter(([key]) => common.has(key));
    const options = [...different, ...same].flatMap(([, group]) => group).slice(0, limit);
    return { protocol_version: terms.version, options: options.map(toEventOption) };
  };
  return {
    before: before && toTerms(before, sides),
    after: after && toTerms(after, [sides[1], sides[0]]),
  };
}

type Groups = ReadonlyMap<string, readonly StoredOption[]>;

/** Selects keys that both sides have. Their options must fit on both sides, in addition to the options that differ. */
function selectCommon([one, other]: readonly [Groups, Groups], limit: number): ReadonlySet<string> {
  const countDifferent = (own: Groups, rest: Groups): number =>
    [...own].reduce((sum, [key, group]) => (rest.has(key) ? sum : sum + group.length), 0);
  let room = limit - Math.max(countDifferent(one, other), countDifferent(other, one));
  const selected = new Set<string>();
  for (const [key, group] of one) {
    const size = Math.max(group.length, other.get(key)?.length ?? Infinity);
    if (size > room) continue;
    selected.add(key);
    room -= size;
  }
  return selected;
}

function toEventOption(option: StoredOption): EventOption {
  return {
    scheme: toAddressText(option.scheme),
    network: toAddressText(option.network),
    asset: toAddressText(option.asset),
    asset_symbol: cleanText(option.assetSymbol, TEXT_LIMITS.address),
    decimals: option.decimals,
    amount: option.amount,
    amount_usd: option.amountUsd,
    pay_to: toAddressText(option.payTo),
  };
}

function toAddressText(text: string): string {
  return cleanText(text, TEXT_LIMITS.address) ?? '';
}

/** Maximum number of differences that a sentence names. */
const MAX_NAMED = 3;
const UNKNOWN: Sentence = ['The payment terms changed.'];

type OptionSides = readonly [before: readonly EventOption[], after: readonly EventOption[]];

/** Describes a change of payment terms in one or a few sentences. */
export function describeTerms(compares: ComparedTerms, before: WatchedState, after: WatchedState): Sentence {
  if (before === null || after === null || !('options' in before) || !('options' in after)) return UNKNOWN;
  const sides: OptionSides = [before.options, after.options];
  if (compares === 'price') return describePrices(sides);
  if (compares === 'payTo') return describePayTo(sides);
  const difference = { sides, toKey: toTokenKey, toName: formatToken };
  return describeDifference('The payment options changed.', difference);
}

function describePayTo(sides: OptionSides): Sentence {
  const toKey = (option: EventOption): string =>
    `${toTokenKey(option)} ${normalizeAddress(option.network, option.pay_to)}`;
  const [removed, added] = findDifferences(sides, toKey);
  const [from] = removed;
  const [to] = added;
  const isReplaced = removed.length === 1 && added.length === 1;
  if (isReplaced && from !== undefined && to !== undefined && toTokenKey(from) === toTokenKey(to)) {
    const change = [' changed from ', markUnverified(from.pay_to), ' to ', markUnverified(to.pay_to), '.'];
    return ['The address that receives ', ...formatToken(to), ...change];
  }
  const toName = (option: EventOption): Sentence => [
    markUnverified(option.pay_to),
    ' (',
    ...formatToken(option),
    ')',
  ];
  return describeDifference('The addresses that receive the payments changed.', { sides, toKey, toName });
}

function describePrices([before, after]: OptionSides): Sentence {
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
  readonly sides: OptionSides;
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

/**
 * Returns the options whose key occurs on only one side. If several options have the same key, returns only the first.
 */
function findDifferences(
  [before, after]: OptionSides,
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
  return [markUnverified(symbol ?? asset), ' on ', findNetwork(network)?.name ?? markUnverified(network)];
}

/** Formats a price in US dollars, or in atomic units if the dollar price is unknown. */
function formatPrice({ amount_usd: usd, amount }: EventOption): Sentence {
  // Six decimals are shortened to at least two: $0.01, $0.0015.
  if (usd !== null) return [`$${usd.replace(/0{1,4}$/, '')}`];
  return [amount === null ? 'an unreadable amount' : `${amount} atomic units`];
}
