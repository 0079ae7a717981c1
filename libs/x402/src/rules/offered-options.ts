import type { Envelope } from '../challenge/envelope.ts';
import type { RuleInput } from './rule.ts';
import { toBareAsset } from '../tokens/tokens.ts';
import type { PaymentOption } from '../types.ts';

type OfferingResponse = Pick<RuleInput, 'header' | 'body'>;

/**
 * Returns the payment envelope that a buyer reads: the one in the header, or else the one in the body. Ignores
 * envelopes of unknown versions.
 */
export function findOfferedEnvelope({ header, body }: OfferingResponse): Envelope | null {
  if (header.state === 'read' && header.envelope.version !== null) return header.envelope;
  return body.state === 'read' && body.envelope.version !== null ? body.envelope : null;
}

/** Returns the payment options of the envelope that a buyer reads. */
export function findOfferedOptions(input: OfferingResponse): readonly PaymentOption[] {
  return findOfferedEnvelope(input)?.options ?? [];
}

/**
 * Normalizes an address or id for comparison: hexadecimal ids become lower case, all others stay unchanged.
 */
export function normalizeId(id: string): string {
  return /^0x/i.test(id) ? id.toLowerCase() : id;
}

/** Returns a key for the network and asset of an option. */
export function toAssetKey({ network, asset }: PaymentOption): string {
  return `${network} ${normalizeId(toBareAsset(network, asset))}`;
}

/** Returns the amount as text. Returns null for a malformed amount, which another rule reports. */
export function toAmountText({ amount }: PaymentOption): string | null {
  return amount === null ? null : String(amount);
}

/** Returns the normalized payee address. Returns null for an empty address, which another rule reports. */
export function toPayeeKey({ payTo }: PaymentOption): string | null {
  return payTo === '' ? null : normalizeId(payTo);
}

/**
 * Returns a key that is equal for options with the same scheme and asset. The key contains the scheme, because an
 * `exact` price and an `upto` maximum are not comparable.
 */
function toComparisonKey(option: PaymentOption): string {
  return JSON.stringify([option.scheme, toAssetKey(option)]);
}

/** Two options from different sources with the same scheme and asset. */
export interface OptionPair {
  readonly one: PaymentOption;
  readonly other: PaymentOption;
}

/**
 * Finds contradictions between the payment options of two sources, such as header and body. Options are compared by
 * scheme and asset, not by list position. If a source has several options for one scheme and asset, one pair with equal
 * values is enough.
 *
 * @param ones options of the first source
 * @param others options of the second
 * @param getValue returns the value to compare; options without it are ignored
 * @returns the first pair for each scheme and asset on which the sources disagree; null when nothing could be compared
 */
export function findContradictions(
  ones: readonly PaymentOption[],
  others: readonly PaymentOption[],
  getValue: (option: PaymentOption) => string | null,
): readonly OptionPair[] | null {
  if (ones.length === 0 || others.length === 0) return null;
  const otherGroups = Map.groupBy(
    others.filter((option) => getValue(option) !== null),
    toComparisonKey,
  );
  const groups = Map.groupBy(
    ones.filter((option) => getValue(option) !== null),
    toComparisonKey,
  );
  const shared = [...groups].flatMap(([key, group]) => {
    const [one] = group;
    const [other] = otherGroups.get(key) ?? [];
    if (one === undefined || other === undefined) return [];
    const values = new Set(otherGroups.get(key)?.map(getValue));
    return [{ one, other, agree: group.some((option) => values.has(getValue(option))) }];
  });
  return shared.length === 0 ? null : shared.filter(({ agree }) => !agree);
}
