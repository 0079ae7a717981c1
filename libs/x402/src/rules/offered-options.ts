import type { Envelope } from '../challenge/envelope.ts';
import type { RuleInput } from './rule.ts';
import { toBareAsset } from '../tokens/tokens.ts';
import type { PaymentOption } from '../types.ts';

type OfferingResponse = Pick<RuleInput, 'header' | 'body'>;

/** The envelope a buyer is offered: the header's where it is of a known version, else the body's where that is. */
export function findOfferedEnvelope({ header, body }: OfferingResponse): Envelope | null {
  if (header.state === 'read' && header.envelope.version !== null) return header.envelope;
  return body.state === 'read' && body.envelope.version !== null ? body.envelope : null;
}

/** The options of the envelope a buyer is offered. */
export function findOfferedOptions(input: OfferingResponse): readonly PaymentOption[] {
  return findOfferedEnvelope(input)?.options ?? [];
}

/**
 * An address or id by which equal ones are found: hex means the same in any case, every other id is taken as it is.
 */
export function normalizeId(id: string): string {
  return /^0x/i.test(id) ? id.toLowerCase() : id;
}

/** What an option is paid in: its network and asset. */
export function toAssetKey({ network, asset }: PaymentOption): string {
  return `${network} ${normalizeId(toBareAsset(network, asset))}`;
}

/** The amount as text; null when it is malformed, which is another rule's finding. */
export function toAmountText({ amount }: PaymentOption): string | null {
  return amount === null ? null : String(amount);
}

/** The payee as text; null when there is none, which is another rule's finding. */
export function toPayeeKey({ payTo }: PaymentOption): string | null {
  return payTo === '' ? null : normalizeId(payTo);
}

/** What options are held against each other by: a price of scheme `exact` is no ceiling of scheme `upto`. */
function toComparisonKey(option: PaymentOption): string {
  return JSON.stringify([option.scheme, toAssetKey(option)]);
}

/** Two options for the same asset by the same scheme that ought to say the same. */
export interface OptionPair {
  readonly one: PaymentOption;
  readonly other: PaymentOption;
}

/**
 * Pairs the options of two sources by scheme and by what they are paid in, not by their place in the list, and looks
 * for an asset on which they contradict each other. Of several options for one asset by one scheme, one pair that
 * agrees is enough.
 *
 * @param ones options of the first source
 * @param others options of the second
 * @param valueOf what is compared; options without it are left out
 * @returns the first pair of each asset and scheme they disagree on; null when none could be compared
 */
export function findContradictions(
  ones: readonly PaymentOption[],
  others: readonly PaymentOption[],
  valueOf: (option: PaymentOption) => string | null,
): readonly OptionPair[] | null {
  if (ones.length === 0 || others.length === 0) return null;
  const theirs = Map.groupBy(
    others.filter((option) => valueOf(option) !== null),
    toComparisonKey,
  );
  const ours = Map.groupBy(
    ones.filter((option) => valueOf(option) !== null),
    toComparisonKey,
  );
  const shared = [...ours].flatMap(([way, mine]) => {
    const [one] = mine;
    const [other] = theirs.get(way) ?? [];
    if (one === undefined || other === undefined) return [];
    const values = new Set(theirs.get(way)?.map(valueOf));
    return [{ one, other, agree: mine.some((option) => values.has(valueOf(option))) }];
  });
  return shared.length === 0 ? null : shared.filter(({ agree }) => !agree);
}
