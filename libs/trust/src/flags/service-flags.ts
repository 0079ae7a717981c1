import {
  DAY_MS,
  formatConstantPercent,
  formatMinute,
  formatMs,
  formatPercent,
  formatUsd,
} from '@touchstone/common';
import { formatProbeCounts } from '@touchstone/contract';
import { describeFailure, formatCause, toOrigin, toSafeValue } from '../cause-texts.ts';
import { CONFIDENCE } from '../confidence.ts';
import {
  computeAgeMs,
  findBlockedCause,
  findBlockedSince,
  isLastProbeStale,
  toProbeCounts,
} from '../endpoint-state.ts';
import type { Flag, ScoreInputs } from '../types.ts';
import type { FlagDefinition, FlagDetection, FlagInputs } from './flag-rule.ts';
import { UPTIME_FLAGS } from './uptime-flags.ts';

const SLOW_P50_MS = 2_000;
const SLOW_P95_MS = 5_000;
const DOMINANT_PAYER_SHARE = 0.9;
/** Share of the paid volume that may be sent back to payers without a warning. */
const MAX_RETURNED_SHARE = 0.2;
/** Minimum difference of two amounts that a sentence shows, in US dollars. */
const MIN_NAMED_USD = 0.01;
const LIST = new Intl.ListFormat('en-GB');
/** Minimum share of all probes that must be blocked or redirected for the warning `blocked` or `redirects`. */
const MIN_PROBE_SHARE = 0.1;

/** Returns the evidence of probes that could not be scored for one reason; null if they are a small share. */
function detectProbeShare(
  { inputs: { probes } }: FlagInputs,
  of: 'blocked' | 'redirected',
  cause: ScoreInputs['lastFailure'],
): FlagDetection | null {
  if (probes[of] <= 0 || probes[of] < probes.total * MIN_PROBE_SHARE) return null;
  return {
    since: cause?.since ?? null,
    evidence: { probes: probes.total, [of]: probes[of], error: cause?.error ?? null },
  };
}

function detectBlocked(facts: FlagInputs): FlagDetection | null {
  const { inputs } = facts;
  // The latest failure may have another cause, such as a timeout.
  const cause = findBlockedCause(inputs);
  const detection = detectProbeShare(facts, 'blocked', cause);
  const verb = findBlockedSince(inputs) === null ? 'were' : 'are';
  // The reason of an outage names the latest failure.
  const detail = cause === null || inputs.downSince !== null ? '' : ` (${formatCause(cause)})`;
  const counts = formatProbeCounts(toProbeCounts(inputs));
  return detection && { ...detection, reason: `Probes ${verb} blocked${detail}: ${counts}.` };
}

function detectUnfollowedRedirects(facts: FlagInputs): FlagDetection | null {
  const { lastFailure } = facts.inputs;
  return detectProbeShare(facts, 'redirected', lastFailure?.error === 'redirect' ? lastFailure : null);
}

function detectRedirects(facts: FlagInputs): FlagDetection | null {
  const redirect = facts.inputs.lastChallenge?.redirect ?? null;
  if (redirect === null) return detectUnfollowedRedirects(facts);
  const { status, target, otherOrigin } = redirect;
  return {
    evidence: { target, status, targetOrigin: otherOrigin ? 'other' : 'same' },
    preventsProceed: otherOrigin,
    ...(otherOrigin
      ? {
          reason: `The latest payment challenge came from another origin, after a redirect: ${toOrigin(target)}.`,
        }
      : {}),
  };
}

function detectStaleProbe(facts: FlagInputs): FlagDetection | null {
  const { inputs } = facts;
  const { lastScoredAt, lastFailure } = inputs;
  if (lastScoredAt === null || !isLastProbeStale(inputs)) return null;
  const cause = lastFailure !== null && lastFailure.at > lastScoredAt ? lastFailure : null;
  return {
    since: lastScoredAt,
    evidence: { lastScoredAt, error: cause?.error ?? null },
    // The reason of an outage names the latest failure.
    reason: `No probe was scored since ${formatMinute(lastScoredAt)}${cause === null || inputs.downSince !== null ? '' : `; ${describeFailure(cause)}`}.`,
    // The reason of the flag `blocked` has the same cause and date.
    preventsProceed: findBlockedSince(inputs) === null || detectBlocked(facts) === null,
  };
}

function detectSlow({ inputs: { latency } }: FlagInputs): FlagDetection | null {
  if (latency === null || latency.n <= 0) return null;
  const isSlow = latency.p50 >= SLOW_P50_MS || latency.p95 >= SLOW_P95_MS;
  return isSlow ? { evidence: { latencyMsP50: latency.p50, latencyMsP95: latency.p95 } } : null;
}

/**
 * Returns the settlements, or null if they were read only partly. Flags about the number of payers need complete
 * settlements, because further payers may be in the unread part.
 */
function findCompleteSettlement({ inputs: { settlement } }: FlagInputs): ScoreInputs['settlement'] {
  return settlement?.partial === true ? null : settlement;
}

function detectNoSettlements(facts: FlagInputs): FlagDetection | null {
  const settlement = findCompleteSettlement(facts);
  return settlement !== null && settlement.payers30d <= 0 && settlement.returnedUsd30d === undefined
    ? { evidence: { volumeUsd30d: settlement.volumeUsd30d } }
    : null;
}

function detectSinglePayer(facts: FlagInputs): FlagDetection | null {
  const settlement = findCompleteSettlement(facts);
  if (settlement === null || settlement.payers30d <= 0) return null;
  const { payers30d, topPayerShare } = settlement;
  return payers30d === 1 || (topPayerShare ?? 0) >= DOMINANT_PAYER_SHARE
    ? { evidence: { payers30d, topPayerShare } }
    : null;
}

/** Returns evidence: each wallet that sent payments back, and the amount. */
function listReturningWallets({ returnedBy = [] }: NonNullable<ScoreInputs['settlement']>): Flag['evidence'] {
  return Object.fromEntries(
    returnedBy.flatMap(
      ({ address, network, isFunded, returnedUsd30d }, index): [string, string | number][] => {
        const name = `${isFunded ? 'funded' : 'advertised'}Wallet${String(index + 1)}`;
        return [
          [name, `${network} ${address}`],
          [`${name}Usd30d`, returnedUsd30d],
        ];
      },
    ),
  );
}

/** Formats the wallets that sent payments back as the end of a sentence. */
function formatReturningWallets({
  returnedUsd30d = 0,
  returnedBy = [],
}: NonNullable<ScoreInputs['settlement']>): string {
  if (returnedBy.length === 0) return '';
  const names = returnedBy.map(({ address, isFunded, returnedUsd30d: usd }) => {
    const name = toSafeValue(address);
    return `the ${isFunded ? 'funded' : 'advertised'} wallet${name === null ? '' : ` ${name}`} (${formatUsd(usd)})`;
  });
  const sum = returnedBy.reduce((total, wallet) => total + wallet.returnedUsd30d, 0);
  const isMost = returnedUsd30d - sum >= MIN_NAMED_USD;
  return `, ${isMost ? 'most of it ' : ''}by ${LIST.format(names)}`;
}

function detectReturnedPayments({ inputs }: FlagInputs): FlagDetection | null {
  const { settlement, payToSharedWith = 0 } = inputs;
  // A wallet that several hosts share also pays the sellers of other hosts, and these can be payers.
  if (settlement?.returnedUsd30d === undefined || payToSharedWith > 0) return null;
  const { volumeUsd30d, returnedUsd30d, partial } = settlement;
  const paid = volumeUsd30d + returnedUsd30d;
  if (returnedUsd30d <= paid * MAX_RETURNED_SHARE) return null;
  const share = volumeUsd30d === 0 ? 'All' : formatPercent(returnedUsd30d / paid);
  const read = partial === true ? ' that was read' : '';
  return {
    evidence: { returnedUsd30d, volumeUsd30d, ...listReturningWallets(settlement) },
    reason: `${share} of the volume${read} of the last 30 days was sent back to the payers: ${formatUsd(returnedUsd30d)} of ${formatUsd(paid)}${formatReturningWallets(settlement)}.`,
  };
}

/** Warnings about the service, its listing and the amount of data. */
export const SERVICE_FLAGS: readonly FlagDefinition[] = [
  {
    slug: 'first-contact',
    trigger: 'The endpoint was first seen less than 24 hours ago.',
    message: 'The endpoint was first seen less than 24 hours ago.',
    fix: 'No action needed: the flag disappears within 24 hours.',
    detect: ({ inputs: { now, firstSeen } }) =>
      computeAgeMs(now, firstSeen) < DAY_MS ? { since: firstSeen, evidence: { firstSeen } } : null,
  },
  {
    slug: 'low-confidence',
    trigger: `Confidence is below ${CONFIDENCE.low.toFixed(2)}.`,
    message: 'There are too few measurements to rely on the score.',
    fix: 'No action needed: confidence grows with every scored probe.',
    detect: ({ inputs, confidence }) =>
      confidence < CONFIDENCE.low ? { evidence: { confidence, probes: inputs.probes.scored } } : null,
  },
  {
    slug: 'not-seen-lately',
    explains: ['no-payable-challenge'],
    preventsProceed: true,
    trigger:
      'The last scored probe is more than 24 hours old. Later probes were not made, could not be scored, or failed because of this service.',
    message: 'No scored probe for more than 24 hours.',
    fix: 'Let unpaid requests reach the payment challenge. No action is needed if this service caused the gap.',
    detect: detectStaleProbe,
  },
  ...UPTIME_FLAGS,
  {
    slug: 'slow',
    trigger: `The median time to the last byte is ${formatMs(SLOW_P50_MS)} or more, or the 95th percentile ${formatMs(SLOW_P95_MS)} or more.`,
    message: 'The endpoint responds slowly.',
    fix: 'Respond to unpaid requests immediately: a payment challenge needs no processing.',
    detect: detectSlow,
  },
  {
    slug: 'no-settlements',
    trigger: 'Payments to all advertised wallets were read, and no buyer paid in the last 30 days.',
    message: 'No buyer paid the endpoint in the last 30 days.',
    fix: 'No action needed: the flag disappears with the first sale.',
    detect: detectNoSettlements,
  },
  {
    slug: 'single-payer',
    trigger: `Payments to all advertised wallets were read, and in the last 30 days there was only one payer, or one payer paid at least ${formatConstantPercent(DOMINANT_PAYER_SHARE)} of the volume. Payments that were sent back do not count.`,
    message: 'One payer paid nearly all of the settled volume that the endpoint kept.',
    fix: 'No action needed: the flag disappears when other buyers pay.',
    detect: detectSinglePayer,
  },
  {
    slug: 'payments-returned',
    explains: ['activity'],
    preventsProceed: true,
    trigger: `Over ${formatConstantPercent(MAX_RETURNED_SHARE)} of the volume that was read for the last 30 days was sent back to the payers. The sender is an advertised wallet, or a wallet that received more than half of its USDC from advertised wallets. For each payer, at most what it paid counts. The flag is not raised if endpoints of other hosts advertise one of the wallets.`,
    message:
      'Over a fifth of the volume that was read was sent back to the payers. The part that went back is not counted.',
    fix: 'Check the transfers from the advertised wallets to the payers: refunds count too. Pay suppliers at addresses that buy nothing from the endpoint. The flag disappears when these transfers are 30 days old.',
    detect: detectReturnedPayments,
  },
  {
    slug: 'legacy-version',
    trigger: 'The endpoint advertises x402 version 1.',
    message: 'The endpoint uses x402 version 1, which newer clients may no longer support.',
    fix: 'Send a version 2 challenge in the PAYMENT-REQUIRED header.',
    detect: ({ inputs: { advertised } }) =>
      advertised?.protocolVersion === 1 ? { evidence: { protocolVersion: 1 } } : null,
  },
  {
    slug: 'missing-resource-info',
    trigger: 'The latest challenge does not name its resource.',
    message: 'The payment challenge does not name the resource that is paid for.',
    fix: 'Send a resource object with url, description and mimeType.',
    detect: ({ inputs: { lastChallenge, lastChallengedAt } }) =>
      lastChallenge?.resourceInfoMissing === true ? { evidence: { lastChallengedAt } } : null,
  },
  {
    slug: 'delisted',
    trigger: 'The endpoint left every directory that listed it.',
    message: 'The endpoint left every directory that listed it.',
    fix: 'List it again; in most directories one settled payment is enough.',
    detect: ({ inputs: { listed, delistedAt } }) =>
      listed ? null : { since: delistedAt, evidence: { delistedAt } },
  },
  {
    slug: 'template-unresolved',
    trigger:
      'The resource URL is a template, and no probe of a filled-in URL was scored in the last 30 days.',
    message: 'The URL is a template, and no probe of a filled-in URL was scored.',
    fix: 'Give examples of the path parameters in the discovery extension.',
    detect: ({ inputs: { templated, probes } }) =>
      templated && probes.scored <= 0 ? { evidence: { probes: probes.total } } : null,
  },
  {
    slug: 'blocked',
    explains: ['no-payable-challenge'],
    preventsProceed: true,
    trigger: `At least ${formatConstantPercent(MIN_PROBE_SHARE)} of the probes in the last 30 days were blocked (403, 429 or a bot page).`,
    message: `At least ${formatConstantPercent(MIN_PROBE_SHARE)} of the probes in the last 30 days were blocked.`,
    fix: 'Let unpaid requests reach the payment challenge.',
    detect: detectBlocked,
  },
  {
    slug: 'redirects',
    trigger: `The latest payment challenge came from the target of a redirect, or at least ${formatConstantPercent(MIN_PROBE_SHARE)} of the probes in the last 30 days ended at a redirect that was not followed: to http, to an invalid URL, or after three others. If the target has another origin, the recommendation cannot be “proceed”.`,
    message:
      'The endpoint redirects requests. Clients send the payment to the target, and with status 301, 302 or 303 they turn POST into GET without a body.',
    fix: 'List the final URL. If a redirect is necessary, use status 307 or 308, which keep the method and the body.',
    detect: detectRedirects,
  },
  {
    slug: 'no-description',
    trigger: 'Neither the directory nor the challenge describes the resource.',
    message: 'The resource has no description.',
    fix: 'Describe the resource in the challenge.',
    detect: ({ inputs: { description } }) => ((description ?? '').trim() === '' ? { evidence: {} } : null),
  },
];
