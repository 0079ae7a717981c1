import { DAY_MS } from '@touchstone/common';
import {
  toAmountText,
  toAssetKey,
  findContradictions,
  findOfferedOptions,
  shareValue,
  toPayeeKey,
} from '../offered-options.ts';
import { passIf, type Outcome, type Rule, type RuleInput } from '../rule.ts';
import { quote } from '../../json/untrusted-json.ts';
import type { PaymentOption } from '../../types.ts';

const MAX_LISTING_AGE_DAYS = 30;

/** Returns true when listing and response have an option with the same value; null when one of them has no options. */
function shareListed(input: RuleInput, getValue: (option: PaymentOption) => string): boolean | null {
  return shareValue(findOfferedOptions(input), input.listing?.options ?? [], getValue);
}

function checkNetwork(input: RuleInput): Outcome {
  const listed = shareListed(input, ({ network }) => network);
  const [live] = findOfferedOptions(input);
  const [old] = input.listing?.options ?? [];
  const message = (): string =>
    `The directory lists the network ${quote(old?.network)}; the endpoint requests payment on ${quote(live?.network)}.`;
  return listed === null ? 'skip' : passIf(listed, message);
}

/**
 * Checks that listing and response have an asset in common. If they have no network in common, their assets always
 * differ, so only the rule `listing-network` reports that.
 */
function checkAsset(input: RuleInput): Outcome {
  if (shareListed(input, ({ network }) => network) !== true) return 'skip';
  return passIf(
    shareListed(input, toAssetKey) === true,
    'On the same network, the endpoint requests a different asset than the directory lists.',
  );
}

/**
 * Checks a value, such as the payee, for each asset that both the listing and the endpoint offer. For each asset, at
 * least one listed option must have the same value as an option of the endpoint.
 */
function checkAgainstListing(
  input: RuleInput,
  getValue: (option: PaymentOption) => string | null,
  formatMessage: (live: PaymentOption, listed: PaymentOption) => string,
): Outcome {
  const listed = input.listing?.options ?? [];
  const contradictions = findContradictions(findOfferedOptions(input), listed, getValue);
  if (contradictions === null) return 'skip';
  const [pair] = contradictions;
  return pair === undefined ? 'pass' : { message: formatMessage(pair.one, pair.other) };
}

function formatPrice({ amount, amountUsd }: PaymentOption): string {
  return amountUsd === null ? `${String(amount)} atomic units` : `$${amountUsd}`;
}

function checkStale({ listing, receivedAt }: RuleInput): Outcome {
  if (listing === null || listing.lastUpdated === null || receivedAt === null) return 'skip';
  const days = Math.floor((receivedAt - listing.lastUpdated) / DAY_MS);
  return passIf(
    days <= MAX_LISTING_AGE_DAYS,
    () => `The directory has not updated its entry for ${String(days)} days.`,
  );
}

/** Rules that compare the response with the directory listing. Without a listing, the rules are skipped. */
export const LISTING_RULES: readonly Rule[] = [
  {
    id: 'listing-network',
    level: ['payable', 'warning'],
    requirement: 'The endpoint requests payment on a network that the directory lists.',
    fix: 'Offer the listed network again, or settle a payment so that the directory reads the endpoint again.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: checkNetwork,
  },
  {
    id: 'listing-price',
    level: ['payable', 'warning'],
    requirement: 'The endpoint requests the price that the directory lists.',
    fix: 'Request the listed price, or settle a payment so that the directory reads the endpoint again.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: (input) =>
      checkAgainstListing(
        input,
        toAmountText,
        (live, listed) =>
          `The directory lists a price of ${formatPrice(listed)}; the endpoint requests ${formatPrice(live)}.`,
      ),
  },
  {
    id: 'listing-payto',
    level: ['payable', 'warning'],
    requirement: 'The endpoint requests payment to the wallet that the directory lists.',
    fix: 'Make sure that the new wallet is yours. Then settle a payment so that the directory reads the endpoint again.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: (input) =>
      checkAgainstListing(
        input,
        toPayeeKey,
        (live, listed) =>
          `The directory lists the wallet ${quote(listed.payTo)}; the endpoint requests payment to ${quote(live.payTo)}.`,
      ),
  },
  {
    id: 'listing-asset',
    level: ['payable', 'warning'],
    requirement: 'The endpoint requests payment in an asset that the directory lists.',
    fix: 'Offer the listed asset again, or settle a payment so that the directory reads the endpoint again.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: checkAsset,
  },
  {
    id: 'listing-stale',
    level: ['discoverable', 'info'],
    requirement: 'The directory updated its entry within the last 30 days.',
    fix: 'Settle a payment through the facilitator of the directory; this updates the entry.',
    reference: { source: 'CDP', clause: 'lastUpdated' },
    check: checkStale,
  },
];
