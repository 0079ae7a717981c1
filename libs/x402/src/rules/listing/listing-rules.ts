import { DAY_MS } from '@touchstone/common';
import {
  checkCommonAsset,
  checkCommonNetwork,
  checkSameValue,
  findOfferedOptions,
  toAmountText,
  toPayeeKey,
} from '../offered-options.ts';
import { passIf, type Outcome, type Rule, type RuleInput } from '../rule.ts';
import { quote } from '../../json/untrusted-json.ts';
import type { PaymentOption } from '../../types.ts';

const MAX_LISTING_AGE_DAYS = 30;

/** Returns the options of the endpoint and the options in its listing. */
function getOptions(input: RuleInput) {
  return [findOfferedOptions(input), input.listing?.options ?? []] as const;
}

function checkNetwork(input: RuleInput): Outcome {
  const options = getOptions(input);
  const [[live], [old]] = options;
  return checkCommonNetwork(
    options,
    () =>
      `The directory lists the network ${quote(old?.network)}; the endpoint requests payment on ${quote(live?.network)}.`,
  );
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
      checkSameValue(
        getOptions(input),
        toAmountText,
        ({ one, other }) =>
          `The directory lists a price of ${formatPrice(other)}; the endpoint requests ${formatPrice(one)}.`,
      ),
  },
  {
    id: 'listing-payto',
    level: ['payable', 'warning'],
    requirement: 'The endpoint requests payment to the wallet that the directory lists.',
    fix: 'Make sure that the new wallet is yours. Then settle a payment so that the directory reads the endpoint again.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: (input) =>
      checkSameValue(
        getOptions(input),
        toPayeeKey,
        ({ one, other }) =>
          `The directory lists the wallet ${quote(other.payTo)}; the endpoint requests payment to ${quote(one.payTo)}.`,
      ),
  },
  {
    id: 'listing-asset',
    level: ['payable', 'warning'],
    requirement: 'The endpoint requests payment in an asset that the directory lists.',
    fix: 'Offer the listed asset again, or settle a payment so that the directory reads the endpoint again.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: (input) =>
      checkCommonAsset(
        getOptions(input),
        'On the same network, the endpoint requests a different asset than the directory lists.',
      ),
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
