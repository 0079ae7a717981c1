import { amountOf, assetOf, findContradictions, offeredOptions, payeeOf } from './offers.ts';
import { expect, type Outcome, type Rule, type Subject } from './rule.ts';
import { quote } from '../text.ts';
import type { PaymentOption } from '../types.ts';

const STALE_AFTER_DAYS = 30;
const DAY_MS = 86_400_000;

/** Is one of the listed options like one of the live ones? Null where either side has none. */
function isListed(subject: Subject, valueOf: (option: PaymentOption) => string): boolean | null {
  const live = offeredOptions(subject);
  const listed = subject.listing?.options ?? [];
  if (live.length === 0 || listed.length === 0) return null;
  const values = new Set(listed.map(valueOf));
  return live.some((option) => values.has(valueOf(option)));
}

function checkNetwork(subject: Subject): Outcome {
  const listed = isListed(subject, ({ network }) => network);
  const [live] = offeredOptions(subject);
  const [old] = subject.listing?.options ?? [];
  const message = (): string =>
    `The directory lists ${quote(old?.network)}, and the endpoint asks to be paid on ${quote(live?.network)}.`;
  return listed === null ? 'skip' : expect(listed, message);
}

/** Without a network in common the assets differ by necessity, and that is the other rule's finding. */
function checkAsset(subject: Subject): Outcome {
  if (isListed(subject, ({ network }) => network) !== true) return 'skip';
  return expect(
    isListed(subject, assetOf) === true,
    'The endpoint asks for another asset than the directory lists on the same network.',
  );
}

/** On every asset the directory and the endpoint share, one listed option has to say what the endpoint says. */
function checkListed(
  subject: Subject,
  valueOf: (option: PaymentOption) => string | null,
  messageOf: (live: PaymentOption, listed: PaymentOption) => string,
): Outcome {
  const listed = subject.listing?.options ?? [];
  const contradictions = findContradictions(offeredOptions(subject), listed, valueOf);
  if (contradictions === null) return 'skip';
  const [pair] = contradictions;
  return pair === undefined ? 'pass' : { message: messageOf(pair.one, pair.other) };
}

function priceOf({ amount, amountUsd }: PaymentOption): string {
  return amountUsd === null ? `${String(amount)} atomic units` : `$${amountUsd}`;
}

function checkStale({ listing, at }: Subject): Outcome {
  if (listing === null || listing.lastUpdated === null || at === null) return 'skip';
  const days = Math.floor((at - listing.lastUpdated) / DAY_MS);
  return expect(
    days <= STALE_AFTER_DAYS,
    () => `The directory has not updated its entry for ${String(days)} days.`,
  );
}

/** Rules on what a directory says of the endpoint; skipped where no listing is given. */
export const LISTING_RULES: readonly Rule[] = [
  {
    id: 'listing-network',
    axis: 'payable',
    severity: 'warning',
    holds: 'The endpoint can be paid on a network the directory lists.',
    fix: 'Offer the listed network again, or have the directory read the endpoint anew by settling a payment.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: checkNetwork,
  },
  {
    id: 'listing-price',
    axis: 'payable',
    severity: 'warning',
    holds: 'The endpoint asks the price the directory lists.',
    fix: 'Ask the listed price, or have the directory read the endpoint anew by settling a payment.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: (subject) =>
      checkListed(
        subject,
        amountOf,
        (live, listed) => `The directory lists ${priceOf(listed)}, and the endpoint asks ${priceOf(live)}.`,
      ),
  },
  {
    id: 'listing-payto',
    axis: 'payable',
    severity: 'warning',
    holds: 'The endpoint has the wallet paid that the directory lists.',
    fix: 'Make sure the new wallet is yours, then have the directory read the endpoint anew by settling a payment.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: (subject) =>
      checkListed(
        subject,
        payeeOf,
        (live, listed) =>
          `The directory lists the wallet ${quote(listed.payTo)}, and the endpoint has ${quote(live.payTo)} paid.`,
      ),
  },
  {
    id: 'listing-asset',
    axis: 'payable',
    severity: 'warning',
    holds: 'The endpoint can be paid in an asset the directory lists.',
    fix: 'Offer the listed asset again, or have the directory read the endpoint anew by settling a payment.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: checkAsset,
  },
  {
    id: 'listing-stale',
    axis: 'discoverable',
    severity: 'info',
    holds: 'The directory updated its entry within the last 30 days.',
    fix: 'Settle a payment through the facilitator of the directory, which updates the entry.',
    reference: { source: 'CDP', clause: 'lastUpdated' },
    check: checkStale,
  },
];
