import { formatCount, formatMinute } from '@touchstone/common';
import type { ChangeKind } from '@touchstone/contract';
import { describeClientSettings } from '@touchstone/x402';
import {
  capitalize,
  describeOutage,
  formatChange,
  formatFailedRules,
  formatNotPayableReason,
  toSafeValue,
} from '../cause-texts.ts';
import {
  countChallenges,
  findRecentChanges,
  isFree,
  isOftenUnpayable,
  isPayableAtLastProbe,
  MAX_SHARERS_COUNTED,
  RECENT_NETWORK_DAYS,
  WINDOW_DAYS,
} from '../endpoint-state.ts';
import type { ScoreInputs } from '../types.ts';
import { DELIVERY_FLAGS } from './delivery-flags.ts';
import type { FlagDefinition, FlagDetection, FlagInputs, FlagRule } from './flag-rule.ts';
import { PAYTO_CHANGED } from './payto-change.ts';

/** Minimum number of price or payTo changes in the last 30 days for the warnings `price-varies` and `payto-varies`. */
const MIN_CHANGES = 2;
/** Networks that a reason may name. Any other text could be a sentence of the provider. */
const SAFE_NETWORK = /^[a-z\d]{3,8}:(?:\d{1,18}|(?:main|test|dev)net)$/;

function createVariationDetector(kind: ChangeKind, subject: string): FlagRule['detect'] {
  return ({ inputs }) => {
    const changes = findRecentChanges(inputs, kind, WINDOW_DAYS);
    const [latest] = changes;
    if (latest === undefined || changes.length < MIN_CHANGES) return null;
    const { at, before, after } = latest;
    return {
      since: changes.at(-1)?.at ?? null,
      evidence: { changes: changes.length, lastChangedAt: at, before, after },
      reason: `The ${subject} changed ${String(changes.length)} times in the last ${String(WINDOW_DAYS)} days, last${formatChange(latest)} on ${formatMinute(at)}.`,
    };
  };
}

const detectPayToChanges = createVariationDetector('payto_change', 'payTo address');

/** Reports a payTo that takes several values a day, or else payTo changes on several days. */
function detectPayToVariation(facts: FlagInputs): FlagDetection | null {
  const { payToVariation: variation } = facts.inputs;
  if (variation === undefined) return detectPayToChanges(facts);
  const { since, ...evidence } = variation;
  const { changes, lastChangedAt } = evidence;
  return {
    since,
    evidence,
    reason: `The payTo address varies: it changed ${String(changes)} times since ${formatMinute(since)},${formatChange(variation)}, last on ${formatMinute(lastChangedAt)}.`,
  };
}

function detectNetworkChange({ inputs }: FlagInputs): FlagDetection | null {
  const [latest] = findRecentChanges(inputs, 'asset_network_change', RECENT_NETWORK_DAYS);
  if (latest === undefined) return null;
  const { at, before, after } = latest;
  return {
    since: at,
    evidence: { changedAt: at, before, after },
    reason: `The payment network or token changed${formatChange(latest)} on ${formatMinute(at)}.`,
  };
}

function detectFormalErrors({ inputs }: FlagInputs): FlagDetection | null {
  const { last24h, latestCompliance } = inputs;
  const challenges = countChallenges(last24h.envelopes);
  const { errors, unpayable } = last24h.envelopes;
  const invalid = errors + unpayable;
  const isMajority = invalid * 2 > challenges;
  if (!isMajority && latestCompliance !== 'errors') return null;
  // The flag `envelope-noncompliant` is raised instead.
  if (isOftenUnpayable(inputs)) return null;
  const consequence =
    unpayable === 0
      ? 'but the reference clients sign the payments, which facilitators may reject'
      : `and ${String(unpayable)} could not be paid`;
  return {
    evidence: { challenges, errors, unpayable, latestCompliance },
    reason: isMajority
      ? `${String(invalid)} of ${String(challenges)} payment challenges of the last 24 hours violate the x402 specification, ${consequence}; ${describeLatest(inputs)}.`
      : `The latest payment challenge${formatTime(inputs.lastChallengedAt)} violates the x402 specification${formatRules(inputs)}, but the reference clients sign the payment, which facilitators may reject.`,
  };
}

/** Describes whether the latest challenge is one of the faulty challenges. */
function describeLatest(inputs: ScoreInputs): string {
  const { latestCompliance, downSince } = inputs;
  if (latestCompliance !== 'errors' && latestCompliance !== 'unpayable') return 'the latest is none of them';
  // The reason of `not-payable-now` names the rules that an unpayable challenge fails.
  const isNamed = latestCompliance === 'unpayable' && downSince === null;
  return `the latest is one of them${isNamed ? '' : formatRules(inputs)}`;
}

/** Formats the failed rules of the latest challenge as an insertion, such as ` (failed rule v2-extra)`. */
function formatRules(inputs: ScoreInputs): string {
  const rules = formatFailedRules(inputs);
  return rules === null ? '' : ` (failed ${rules})`;
}

/** Formats the time of the latest challenge as an insertion, such as `, on 2026-11-09 14:05 UTC,`. */
function formatTime(at: number | null): string {
  return at === null ? '' : `, on ${formatMinute(at)},`;
}

function detectNotPayableNow({ inputs }: FlagInputs): FlagDetection | null {
  if (inputs.probes.scored <= 0 || isFree(inputs) || isPayableAtLastProbe(inputs)) return null;
  const { downSince, lastPayableAt, latestCompliance, lastFailure } = inputs;
  return {
    since: downSince ?? lastPayableAt,
    evidence: {
      downSince,
      lastPayableAt,
      latestCompliance,
      error: downSince === null ? null : (lastFailure?.error ?? null),
    },
    reason: explainNotPayable(inputs),
  };
}

function explainNotPayable(inputs: ScoreInputs): string {
  const outage = describeOutage(inputs);
  if (outage !== null) return `${capitalize(outage)}.`;
  if (inputs.latestCompliance === 'unpayable')
    return `The latest payment challenge${formatTime(inputs.lastChallengedAt)} cannot be paid${formatNotPayableReason(inputs)}`;
  const { lastPayableAt } = inputs;
  const { free } = inputs.last24h;
  const instead =
    free > 0 ? `; ${formatCount(free, 'probe')} of the last 24 hours returned data without payment` : '';
  return lastPayableAt === null
    ? `No payable challenge was ever received${instead}.`
    : `No payable challenge was received since ${formatMinute(lastPayableAt)}${instead}.`;
}

function detectNeededSettings({ inputs }: FlagInputs): FlagDetection | null {
  const settings = inputs.lastChallenge?.neededSettings ?? [];
  if (settings.length === 0) return null;
  return {
    evidence: Object.fromEntries(settings.map(({ kind, setting }) => [kind, setting])),
    reason: describeClientSettings(settings),
    // Every buyer sets a limit, so an amount over the default limit is no reason against a payment.
    preventsProceed: settings.some(({ kind }) => kind !== 'amount'),
  };
}

function detectUnknownPrice({ inputs: { advertised } }: FlagInputs): FlagDetection | null {
  if (advertised === null || advertised.amountUsd !== null) return null;
  const { network, asset } = advertised;
  const token = toSafeValue(`${network} ${asset}`);
  const name = token === null ? 'The token' : `The token ${token}`;
  return { evidence: { network, asset }, reason: `${name} has no known value in US dollars.` };
}

function detectUnknownNetwork({ inputs: { advertised } }: FlagInputs): FlagDetection | null {
  if (advertised === null || advertised.networkKnown) return null;
  const { network } = advertised;
  const name = SAFE_NETWORK.test(network) ? ` ${network}` : '';
  return {
    evidence: { network },
    reason: `This service does not know the payment network${name}, so it cannot check price or settlements.`,
  };
}

/** Reports different terms in header and body, with the failed rules. Only rules of severity error are in the inputs. */
function detectMismatch({ inputs: { lastChallenge, lastChallengedAt } }: FlagInputs): FlagDetection | null {
  if (lastChallenge?.headerBodyMismatch !== true) return null;
  const failed = lastChallenge.failedRules.filter((id) => id === 'dual-payto' || id === 'dual-amount');
  const rules = failed.length === 0 ? 'dual-network or dual-asset' : failed.join(' and ');
  return {
    evidence: { lastChallengedAt },
    reason: `Header and body of the latest challenge${formatTime(lastChallengedAt)} contain different payment terms (failed ${rules}), so the payment depends on the client.`,
  };
}

/** Warnings about price, payment address, network and payability. */
export const MONEY_FLAGS: readonly FlagDefinition[] = [
  PAYTO_CHANGED,
  {
    slug: 'price-varies',
    explains: ['stability'],
    preventsProceed: true,
    notForTemplates: true,
    trigger: `The advertised price changed at least ${String(MIN_CHANGES)} times in the last ${String(WINDOW_DAYS)} days.`,
    message: `The price changed at least ${String(MIN_CHANGES)} times in the last ${String(WINDOW_DAYS)} days; check the amount before every payment.`,
    fix: 'Keep prices stable for longer, or publish each price under a separate resource URL.',
    detect: createVariationDetector('price_change', 'price'),
  },
  {
    slug: 'payto-varies',
    explains: ['stability', 'payto-changed'],
    preventsProceed: true,
    notForTemplates: true,
    trigger: `In the last ${String(WINDOW_DAYS)} days, the payTo address had three values or three changes within a day, or changed at least ${String(MIN_CHANGES)} times.`,
    message: `The payTo address changed at least ${String(MIN_CHANGES)} times in the last ${String(WINDOW_DAYS)} days.`,
    fix: 'Keep one payTo address. A deposit address for each request is no error, but always raises this warning.',
    detect: detectPayToVariation,
  },
  {
    slug: 'payto-shared',
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
    preventsProceed: true,
    notForTemplates: true,
    trigger: 'The advertised price cannot be converted to US dollars.',
    message: 'The price in US dollars is unknown.',
    fix: 'Offer an option in USDC, or in another token that clients know.',
    detect: detectUnknownPrice,
  },
  {
    slug: 'not-payable-now',
    explains: ['no-payable-challenge'],
    preventsProceed: true,
    trigger:
      'At the last scored probe, the endpoint was down, its latest challenge could not be paid, or no payable challenge had been received for more than 24 hours.',
    message: 'The endpoint could not be paid at the last probe.',
    fix: 'Respond to unpaid requests with a challenge that passes the compliance checks of severity error.',
    detect: detectNotPayableNow,
  },
  {
    slug: 'needs-client-settings',
    trigger:
      'No client pays the latest challenge with its default settings, but clients pay it with other settings: a higher limit, an allowed token, or the client of another scheme. If a higher limit is enough, the recommendation can be “proceed”.',
    message: 'Clients pay only after the buyer changes the settings in the evidence.',
    fix: 'For an amount alone, no action is needed: buyers set a limit. Otherwise, also offer an option in USDC with the scheme exact.',
    detect: detectNeededSettings,
  },
  {
    slug: 'network-changed-recently',
    explains: ['stability'],
    preventsProceed: true,
    trigger: `The payment network or token changed within the last ${String(RECENT_NETWORK_DAYS)} days.`,
    message: `The payment network or token changed in the last ${String(RECENT_NETWORK_DAYS)} days.`,
    fix: 'Offer the new network or token in addition to the old one, and announce the change.',
    detect: detectNetworkChange,
  },
  {
    slug: 'envelope-formal-errors',
    explains: ['compliance'],
    preventsProceed: true,
    trigger:
      'The latest challenge, or more than half of the challenges of the last 24 hours, violates the x402 specification. The flag envelope-noncompliant is not raised.',
    message: 'The latest payment challenge, or most of the last 24 hours, violates the x402 specification.',
    fix: 'Fix the failed compliance checks of severity error.',
    detect: detectFormalErrors,
  },
  {
    slug: 'network-unknown',
    preventsProceed: true,
    trigger: 'This service does not know the advertised network.',
    message: 'This service does not know the payment network, so it cannot check price or settlements.',
    fix: 'Offer an option on a network that clients support, identified by its CAIP-2 id.',
    detect: detectUnknownNetwork,
  },
  {
    slug: 'header-body-mismatch',
    preventsProceed: true,
    trigger: 'Header and body of the latest challenge contain different payment terms.',
    message:
      'Header and body of its challenge contain different payment terms, so the payment depends on the client.',
    fix: 'Build header and body from the same payment terms.',
    detect: detectMismatch,
  },
  ...DELIVERY_FLAGS,
];
