import type { ChangeKind } from '@touchstone/contract';
import { findRecentChanges, isFree, isPayableAtLastProbe } from '../endpoint-state.ts';
import { WINDOW_DAYS } from '../window.ts';
import type { FlagDetection, FlagInputs, FlagRule } from './flag-rule.ts';

/** Minimum number of price or payTo changes in the last 30 days for the warnings `price-varies` and `payto-varies`. */
const MIN_CHANGES = 2;
/** Maximum count of endpoints with the same payTo address. Counting stops there, so that it stays cheap. */
const MAX_SHARERS_COUNTED = 1_000;

function createVariationDetector(kind: ChangeKind): FlagRule['detect'] {
  return ({ inputs }) => {
    const times = findRecentChanges(inputs, kind, WINDOW_DAYS);
    return times.length < MIN_CHANGES
      ? null
      : { since: times.at(-1) ?? null, evidence: { changes: times.length } };
  };
}

function detectNotPayableNow({ inputs }: FlagInputs): FlagDetection | null {
  if (inputs.probes.scored <= 0 || isFree(inputs) || isPayableAtLastProbe(inputs)) return null;
  const { downSince, lastPayableAt, latestCompliance } = inputs;
  return { evidence: { downSince, lastPayableAt, latestCompliance } };
}

/** Warnings about price, payment address, network and payability. */
export const MONEY_FLAGS: readonly FlagRule[] = [
  {
    slug: 'price-varies',
    severity: 'warning',
    preventsProceed: true,
    notForTemplates: true,
    trigger: `The advertised price changed at least ${String(MIN_CHANGES)} times in the last ${String(WINDOW_DAYS)} days.`,
    message: `The price changed at least ${String(MIN_CHANGES)} times in the last ${String(WINDOW_DAYS)} days; check the amount before every payment.`,
    fix: 'Keep prices stable for longer, or publish each price under a separate resource URL.',
    detect: createVariationDetector('price_change'),
  },
  {
    slug: 'payto-varies',
    severity: 'warning',
    preventsProceed: true,
    notForTemplates: true,
    trigger: `The payTo address changed at least ${String(MIN_CHANGES)} times in the last ${String(WINDOW_DAYS)} days.`,
    message: `The payTo address changed at least ${String(MIN_CHANGES)} times in the last ${String(WINDOW_DAYS)} days.`,
    fix: 'Keep one payTo address.',
    detect: createVariationDetector('payto_change'),
  },
  {
    slug: 'payto-shared',
    severity: 'warning',
    notForTemplates: true,
    trigger: `Endpoints of other hosts advertise the same payTo address. The count stops at ${String(MAX_SHARERS_COUNTED)}.`,
    message:
      'Endpoints of other hosts advertise the same payTo address, so its settlements may include payments to them.',
    fix: 'Use a payTo address that no other host advertises.',
    detect: ({ inputs: { payToSharedWith } }) =>
      (payToSharedWith ?? 0) > 0 ? { evidence: { endpoints: payToSharedWith ?? 0 } } : null,
  },
  {
    slug: 'price-unknown',
    severity: 'warning',
    preventsProceed: true,
    trigger: 'The advertised price cannot be converted to US dollars.',
    message: 'The price in US dollars is unknown.',
    fix: 'Offer an option in USDC, or in another token that clients know.',
    detect: ({ inputs: { advertised } }) =>
      advertised !== null && advertised.amountUsd === null
        ? { evidence: { network: advertised.network } }
        : null,
  },
  {
    slug: 'not-payable-now',
    severity: 'warning',
    preventsProceed: true,
    trigger:
      'At the last probe, the endpoint was down, its latest challenge could not be paid, or no payable challenge had been received for more than 24 hours.',
    message: 'The endpoint could not be paid at the last probe.',
    fix: 'Respond to unpaid requests with a challenge that passes the compliance checks of severity error.',
    detect: detectNotPayableNow,
  },
  {
    slug: 'network-unknown',
    severity: 'warning',
    preventsProceed: true,
    trigger: 'This service does not know the advertised network.',
    message: 'This service does not know the payment network, so it cannot check price or settlements.',
    fix: 'Offer an option on a network that clients support, identified by its CAIP-2 id.',
    detect: ({ inputs: { advertised } }) =>
      advertised !== null && !advertised.networkKnown ? { evidence: { network: advertised.network } } : null,
  },
  {
    slug: 'header-body-mismatch',
    severity: 'warning',
    preventsProceed: true,
    trigger: 'Header and body of the latest challenge contain different payment terms.',
    message:
      'Header and body of its challenge contain different payment terms, so the payment depends on the client.',
    fix: 'Build header and body from the same payment terms.',
    detect: ({ inputs: { lastChallenge } }) =>
      lastChallenge?.headerBodyMismatch === true ? { evidence: {} } : null,
  },
];
