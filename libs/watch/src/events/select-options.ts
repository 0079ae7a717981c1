import { TEXT_LIMITS, type WatchAlert, type WatchedState } from '@touchstone/contract';
import { cleanText, normalizeAddress } from '@touchstone/x402';
import type { StoredOption, StoredTerms } from './log-entry.ts';

/** Payment terms in an event. */
export type EventTerms = Extract<WatchedState, { readonly options: unknown }>;
/** Payment option in an event. */
export type EventOption = EventTerms['options'][number];

interface Terms {
  readonly before: StoredTerms | null;
  readonly after: StoredTerms | null;
}

/** Returns a key that is equal for two options with the same token on the same network. */
export function toTokenKey({ network, asset }: { readonly network: string; readonly asset: string }): string {
  return JSON.stringify([network, normalizeAddress(network, asset)]);
}

/** Returns a key that is equal for two options between which the type of alert makes no difference. */
function toIdentity(type: WatchAlert['type'], option: StoredOption): string {
  const token = toTokenKey(option);
  if (type === 'price_change') return `${token} ${option.amount ?? '?'}`;
  return type === 'payto_change' ? `${token} ${normalizeAddress(option.network, option.payTo)}` : token;
}

/**
 * Selects the payment options that an event lists: first those that differ, then as many common ones as fit on both
 * sides. So an option on one side only is always a difference.
 *
 * @param limit maximum number of options on each side
 */
export function selectOptions(
  type: WatchAlert['type'],
  { before, after }: Terms,
  limit: number,
): { readonly before: EventTerms | null; readonly after: EventTerms | null } {
  const groupByKey = (terms: StoredTerms | null): Groups =>
    Map.groupBy(terms?.options ?? [], (option) => toIdentity(type, option));
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

/** Selects the common keys whose options fit on both sides beside the options that differ. */
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
