import { changesWithin, isFree, isPayableAtLastProbe } from '../endpoint-state.ts';
import type { FlagFacts, FlagRule, Sighting } from './flag-rule.ts';
import { WINDOW_DAYS } from '../window.ts';
import type { ChangeKind } from '../types.ts';

/** Changes in the window from which on terms vary, rather than were changed once. */
const VARIES_FROM = 2;
/** Counting who shares an address ends here, so that one that thousands share costs no more than others. */
const MOST_SHARERS_COUNTED = 1_000;

function varying(kind: ChangeKind): FlagRule['detect'] {
  return ({ inputs }) => {
    const times = changesWithin(inputs, kind, WINDOW_DAYS);
    return times.length < VARIES_FROM
      ? null
      : { since: times.at(-1) ?? null, evidence: { changes: times.length } };
  };
}

function detectNotPayableNow({ inputs }: FlagFacts): Sighting | null {
  if (inputs.probes.scored <= 0 || isFree(inputs) || isPayableAtLastProbe(inputs)) return null;
  const { downSince, lastPayableAt, latestCompliance } = inputs;
  return { evidence: { downSince, lastPayableAt, latestCompliance } };
}

/** Warnings about what is paid, to whom, and whether it can be. */
export const MONEY_FLAGS: readonly FlagRule[] = [
  {
    slug: 'price-varies',
    severity: 'warning',
    barsProceed: true,
    notForTemplates: true,
    trigger: `The advertised price changed ${String(VARIES_FROM)} times or more in ${String(WINDOW_DAYS)} days.`,
    message: 'Its price moves; look at the amount before every payment.',
    fix: 'Hold prices for longer, or publish each price under a resource of its own.',
    detect: varying('price_change'),
  },
  {
    slug: 'payto-varies',
    severity: 'warning',
    barsProceed: true,
    notForTemplates: true,
    trigger: `The payTo address changed ${String(VARIES_FROM)} times or more in ${String(WINDOW_DAYS)} days.`,
    message: 'The address it is paid to keeps changing.',
    fix: 'Keep one payTo address.',
    detect: varying('payto_change'),
  },
  {
    slug: 'payto-shared',
    severity: 'warning',
    notForTemplates: true,
    trigger: `Endpoints of other hosts advertise the same payTo address. From ${String(MOST_SHARERS_COUNTED)} on no more are counted, so that figure means as many or more.`,
    message: 'Others are paid at the same address, so its settlements cannot be told from theirs.',
    fix: 'Use an address of your own.',
    detect: ({ inputs: { payToSharedWith } }) =>
      (payToSharedWith ?? 0) > 0 ? { evidence: { endpoints: payToSharedWith ?? 0 } } : null,
  },
  {
    slug: 'price-unknown',
    severity: 'warning',
    barsProceed: true,
    trigger: 'It advertises a price in no token whose worth in dollars is known.',
    message: 'What it costs in dollars is not known.',
    fix: 'Offer an option in USDC, or in another token that clients know.',
    detect: ({ inputs: { advertised } }) =>
      advertised !== null && advertised.amountUsd === null
        ? { evidence: { network: advertised.network } }
        : null,
  },
  {
    slug: 'not-payable-now',
    severity: 'warning',
    barsProceed: true,
    trigger:
      'At the last probe it was down, had never been payable by a reference client or not for more than 24 hours, or its latest challenge was not.',
    message: 'At the last look it could not be paid.',
    fix: 'Answer unpaid requests with a challenge that passes the compliance checks of severity error.',
    detect: detectNotPayableNow,
  },
  {
    slug: 'network-unknown',
    severity: 'warning',
    barsProceed: true,
    trigger: 'The advertised network is none this service knows.',
    message:
      'It is paid on a network nothing is known of here; neither price nor settlements can be checked.',
    fix: 'Offer an option on a network that clients support, by its CAIP-2 id.',
    detect: ({ inputs: { advertised } }) =>
      advertised !== null && !advertised.networkKnown ? { evidence: { network: advertised.network } } : null,
  },
  {
    slug: 'header-body-mismatch',
    severity: 'warning',
    barsProceed: true,
    trigger: 'Header and body of the latest challenge name different terms.',
    message: 'Its header asks for something else than its body, so what is paid depends on the client.',
    fix: 'Build both envelopes from the same terms.',
    detect: ({ inputs: { lastChallenge } }) =>
      lastChallenge?.headerBodyMismatch === true ? { evidence: {} } : null,
  },
];
