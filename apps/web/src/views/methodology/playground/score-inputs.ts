import { DAY_MS, HOUR_MS } from '@touchstone/common';
import type { ChangeKind } from '@touchstone/contract';
import type { ScoreInputs } from '@touchstone/trust';
import { DEFAULT_NETWORK, findCanonicalUsdc } from '@touchstone/x402/networks';
import type { PlaygroundState } from './fields.ts';

type Envelopes = ScoreInputs['envelopes'];

const WINDOW_DAYS = 30;
/** Number of scheduled probes per hour: one every 30 minutes. */
const PROBES_PER_HOUR = 2;
const HOURS_PER_DAY = 24;
/** Cause of the outage in the playground. */
const OUTAGE = {
  phase: 'response',
  httpStatus: 503,
  error: 'http-503',
  detail: 'HTTP 503 Service Unavailable.',
} as const;
/** Median price of the last 30 days in millionths of a dollar: one cent. */
const MEDIAN_PRICE_MICROS = 10_000;
/** Verdicts on a payment challenge, best first. A challenge with any verdict except `unpayable` is payable. */
const ENVELOPE_VERDICTS = [
  'pass',
  'warnings',
  'errors',
  'unpayable',
] as const satisfies readonly (keyof Envelopes)[];

/**
 * Converts a playground state to inputs of the score formula. If two settings contradict each other, one setting takes
 * precedence: an outage of ten hours means twenty failed probes, even if the chosen uptime is higher.
 */
export function toScoreInputs(state: PlaygroundState, now: number): ScoreInputs {
  const probes = toProbes(state);
  const { scored, up } = probes;
  const envelopes = toEnvelopes(state, up);
  const downSince = scored > 0 && state.down > 0 ? now - state.down * HOUR_MS : null;
  const firstSeen = now - state.age * DAY_MS;
  return {
    now,
    firstSeen,
    listed: state.listed,
    delistedAt: null,
    templated: state.templated,
    description: state.described ? 'Weather by city' : null,
    probes,
    envelopes,
    ...toRecentProbes(state, probes),
    latency: toLatency(state, up),
    changes: toChanges(state, now),
    answeredFree: !state.charges && up > 0,
    lastScoredAt: scored > 0 ? now : null,
    downSince,
    lastFailure: downSince === null ? null : { ...OUTAGE, at: now, since: downSince },
    lastUpAt: up > 0 ? (downSince ?? now) : null,
    ...toChallenges(state, { envelopes, scored, firstSeen, lastUpAt: downSince ?? now }),
    watchedSince: null,
    advertised: toAdvertised(state),
    medianPriceUsd30d: formatUsdAmount(MEDIAN_PRICE_MICROS),
    ...toMarket(state),
    ...(state.sharedWith > 0 ? { payToSharedWith: state.sharedWith } : {}),
  };
}

function toProbes({ probes: scored, uptime, down, blocked, redirected }: PlaygroundState) {
  const misses = Math.min(scored, down * PROBES_PER_HOUR);
  const up = Math.min(scored - misses, Math.round((scored * uptime) / 100));
  const excluded = blocked + redirected;
  return { total: scored + excluded, scored, up, excluded, blocked, redirected };
}

/** Counts the probes of the last 24 hours and of the last 7 days. The hours of an outage are the most recent hours. */
function toRecentProbes(
  state: PlaygroundState,
  { scored, up }: Pick<ScoreInputs['probes'], 'scored' | 'up'>,
): Pick<ScoreInputs, 'last24h' | 'last7d'> {
  const misses = Math.min(scored, state.down * PROBES_PER_HOUR);
  const upShare = up / Math.max(1, scored - misses);
  const countProbes = (hours: number): { scored: number; up: number } => {
    const recent = Math.min(scored, hours * PROBES_PER_HOUR);
    return { scored: recent, up: Math.round(upShare * Math.max(0, recent - misses)) };
  };
  const day = countProbes(HOURS_PER_DAY);
  return {
    last24h: { ...day, free: state.charges ? 0 : day.up, envelopes: toEnvelopes(state, day.up) },
    last7d: countProbes(7 * HOURS_PER_DAY),
  };
}

/**
 * Counts the successful probes by the verdict on their payment challenge. The probes of the last `unpayableFor` hours
 * are unpayable. The other probes are split in proportion to the settings.
 */
function toEnvelopes(state: PlaygroundState, up: number): Envelopes {
  const none = { pass: 0, warnings: 0, errors: 0, unpayable: 0 };
  const parts = ENVELOPE_VERDICTS.map((verdict) => state[verdict]);
  const sum = parts.reduce((total, part) => total + part, 0);
  if (!state.charges || sum === 0) return none;
  const unpayable = Math.min(up, state.unpayableFor * PROBES_PER_HOUR);
  const counts = splitProportionally(up - unpayable, parts);
  const shared = Object.fromEntries(ENVELOPE_VERDICTS.map((verdict, index) => [verdict, counts[index] ?? 0]));
  return { ...none, ...shared, unpayable: (shared['unpayable'] ?? 0) + unpayable };
}

/** Splits a total into whole numbers in proportion to the given parts. The sum of the whole numbers is the total. */
function splitProportionally(total: number, parts: readonly number[]): number[] {
  const sum = parts.reduce((all, part) => all + part, 0);
  let cumulative = 0;
  return parts.map((part) => {
    const from = Math.round((total * cumulative) / sum);
    cumulative += part;
    return Math.round((total * cumulative) / sum) - from;
  });
}

function toLatency({ timed, p50, p95 }: PlaygroundState, up: number): ScoreInputs['latency'] {
  return timed && up > 0 ? { p50, p95: Math.max(p50, p95), n: up } : null;
}

/**
 * Computes the time of the latest payment challenge, the time of the latest payable challenge, and the latest verdict.
 */
function toChallenges(
  state: PlaygroundState,
  seen: { envelopes: Envelopes; scored: number; firstSeen: number; lastUpAt: number },
) {
  const { envelopes, scored, firstSeen, lastUpAt } = seen;
  const everChallenged = state.charges && scored > 0;
  const challenged = ENVELOPE_VERDICTS.filter((verdict) => envelopes[verdict] > 0);
  // If the last 30 days have no challenge, the latest challenge is dated to the day before these 30 days.
  const beforeWindow = Math.max(firstSeen, lastUpAt - (WINDOW_DAYS + 1) * DAY_MS);
  const lastChallengedAt = challenged.length > 0 ? lastUpAt : everChallenged ? beforeWindow : null;
  const payable = challenged.filter((verdict) => verdict !== 'unpayable');
  const isPayable = payable.length > 0 && state.unpayableFor === 0;
  const mostFrequent = payable.toSorted((one, other) => envelopes[other] - envelopes[one])[0];
  return {
    everChallenged,
    lastChallengedAt,
    lastPayableAt: toLastPayableAt(lastChallengedAt, {
      hoursBefore: isPayable ? 0 : state.unpayableFor,
      wasEverPayable: payable.length > 0 || challenged.length === 0,
    }),
    latestCompliance: challenged.length === 0 ? null : isPayable ? (mostFrequent ?? null) : 'unpayable',
    ...(challenged.length > 0
      ? {
          lastChallenge: {
            resourceInfoMissing: state.nameless,
            headerBodyMismatch: state.contradicts,
            failedRules: [],
            notPayableReason: null,
            neededSettings: [],
            redirect: null,
          },
        }
      : {}),
  } as const;
}

function toLastPayableAt(
  lastChallengedAt: number | null,
  { hoursBefore, wasEverPayable }: { hoursBefore: number; wasEverPayable: boolean },
): number | null {
  return lastChallengedAt === null || !wasEverPayable ? null : lastChallengedAt - hoursBefore * HOUR_MS;
}

function toChanges(state: PlaygroundState, now: number): ScoreInputs['changes'] {
  const createChanges = (kind: ChangeKind, count: number, latest: number) =>
    Array.from({ length: count }, (_, index) => ({
      kind,
      at: now - (latest + ((WINDOW_DAYS - latest) * index) / count) * DAY_MS,
      before: null,
      after: null,
    }));
  return [
    ...createChanges('price_change', state.priceChanges, state.priceDays),
    ...createChanges('payto_change', state.payToChanges, state.payToDays),
    ...createChanges('asset_network_change', state.assetChanges, state.assetDays),
  ];
}

function toAdvertised(state: PlaygroundState): ScoreInputs['advertised'] {
  if (!state.advertises) return null;
  return {
    amountUsd: formatUsdAmount(Math.round(MEDIAN_PRICE_MICROS * state.priceFactor)),
    network: state.networkKnown ? DEFAULT_NETWORK : 'example:1',
    asset: findCanonicalUsdc(DEFAULT_NETWORK)?.asset ?? '',
    payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    falseUsdc: state.falseUsdc,
    falseUsdcAsset: null,
    networkKnown: state.networkKnown,
    protocolVersion: state.legacy ? 1 : 2,
  };
}

function toMarket({ chainRead, advertises, volume, payers, topShare }: PlaygroundState) {
  if (!chainRead) return { settlement: null, networksRead: advertises ? 0 : null };
  // Without payers, the volume is zero regardless of its setting.
  const paid = payers > 0 ? { volumeUsd30d: volume, topPayerShare: topShare / 100 } : null;
  return {
    settlement: { payers30d: payers, ...(paid ?? { volumeUsd30d: 0, topPayerShare: null }) },
    networksRead: advertises ? 1 : null,
  };
}

/** Formats millionths of a dollar as a decimal string with six decimals. */
function formatUsdAmount(millionths: number): string {
  return (millionths / 1_000_000).toFixed(6);
}
