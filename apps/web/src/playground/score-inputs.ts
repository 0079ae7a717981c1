import type { ChangeKind } from '@touchstone/contract';
import type { ScoreInputs } from '@touchstone/trust';
import type { PlaygroundState } from './state.ts';

type Envelopes = ScoreInputs['envelopes'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WINDOW_DAYS = 30;
/** One every half hour. */
const PROBES_PER_HOUR = 2;
/** A cent, in the millionths that prices are written with. */
const MEDIAN_PRICE = 10_000;
/** Best first; a challenge is payable but with the last. */
const VERDICTS = ['pass', 'warnings', 'errors', 'unpayable'] as const satisfies readonly (keyof Envelopes)[];

/**
 * What the formula reads, for an endpoint as the playground is set. Settings that contradict each other are brought
 * together: an outage of ten hours is twenty misses, whatever share of the probes is said to be up.
 *
 * @param now milliseconds since the epoch
 */
export function scoreInputsOf(state: PlaygroundState, now: number): ScoreInputs {
  const probes = probesOf(state);
  const { scored, up } = probes;
  const envelopes = envelopesOf(state, up);
  const lastProbedAt = scored > 0 ? now : null;
  const downSince = scored > 0 && state.down > 0 ? now - state.down * HOUR_MS : null;
  const firstSeen = now - state.age * DAY_MS;
  return {
    now,
    firstSeen,
    listed: state.listed,
    templated: state.templated,
    description: state.described ? 'Weather by city' : null,
    probes,
    envelopes,
    latency: latencyOf(state, up),
    changes: changesOf(state, now),
    answeredFree: !state.charges && up > 0,
    lastProbedAt,
    downSince,
    ...challengesOf(state, { envelopes, scored, firstSeen, lastUpAt: downSince ?? now }),
    watchedSince: null,
    advertised: advertisedOf(state),
    medianPriceUsd30d: usd(MEDIAN_PRICE),
    ...marketOf(state),
    ...(state.sharedWith > 0 ? { payToSharedWith: state.sharedWith } : {}),
  };
}

function probesOf({ probes: scored, uptime, down, blocked, redirected }: PlaygroundState) {
  const misses = Math.min(scored, down * PROBES_PER_HOUR);
  const up = Math.min(scored - misses, Math.round((scored * uptime) / 100));
  const excluded = blocked + redirected;
  return { total: scored + excluded, scored, up, excluded, blocked, redirected };
}

/** Every answer is a challenge, of the verdicts by their parts; the latest of them have not been payable for hours. */
function envelopesOf(state: PlaygroundState, up: number): Envelopes {
  const none = { pass: 0, warnings: 0, errors: 0, unpayable: 0 };
  const parts = VERDICTS.map((verdict) => state[verdict]);
  const sum = parts.reduce((total, part) => total + part, 0);
  if (!state.charges || sum === 0) return none;
  const late = Math.min(up, state.unpayableFor * PROBES_PER_HOUR);
  const counts = apportion(up - late, parts);
  const shared = Object.fromEntries(VERDICTS.map((verdict, index) => [verdict, counts[index] ?? 0]));
  return { ...none, ...shared, unpayable: (shared['unpayable'] ?? 0) + late };
}

/** Whole numbers in proportion to parts that add up to a total: each is cut where its part of the line ends. */
function apportion(total: number, parts: readonly number[]): number[] {
  const sum = parts.reduce((all, part) => all + part, 0);
  let before = 0;
  return parts.map((part) => {
    const from = Math.round((total * before) / sum);
    before += part;
    return Math.round((total * before) / sum) - from;
  });
}

function latencyOf({ timed, p50, p95 }: PlaygroundState, up: number): ScoreInputs['latency'] {
  return timed && up > 0 ? { p50, p95: Math.max(p50, p95), n: up } : null;
}

/** What is known of its challenges: when the latest was, and the latest that could be paid. */
function challengesOf(
  state: PlaygroundState,
  seen: { envelopes: Envelopes; scored: number; firstSeen: number; lastUpAt: number },
) {
  const { envelopes, scored, firstSeen, lastUpAt } = seen;
  const everChallenged = state.charges && scored > 0;
  const challenged = VERDICTS.filter((verdict) => envelopes[verdict] > 0);
  // One that was challenged once, though not in these 30 days.
  const beforeWindow = Math.max(firstSeen, lastUpAt - (WINDOW_DAYS + 1) * DAY_MS);
  const lastChallengedAt = challenged.length > 0 ? lastUpAt : everChallenged ? beforeWindow : null;
  const payable = challenged.filter((verdict) => verdict !== 'unpayable');
  const isPayable = payable.length > 0 && state.unpayableFor === 0;
  const mostOften = payable.toSorted((one, other) => envelopes[other] - envelopes[one])[0];
  return {
    everChallenged,
    lastChallengedAt,
    lastPayableAt: lastPayable(lastChallengedAt, {
      hoursBefore: isPayable ? 0 : state.unpayableFor,
      ever: payable.length > 0 || challenged.length === 0,
    }),
    latestCompliance: challenged.length === 0 ? null : isPayable ? (mostOften ?? null) : 'unpayable',
    ...(challenged.length > 0
      ? { lastChallenge: { resourceInfoMissing: state.nameless, headerBodyMismatch: state.contradicts } }
      : {}),
  } as const;
}

function lastPayable(
  lastChallengedAt: number | null,
  { hoursBefore, ever }: { hoursBefore: number; ever: boolean },
): number | null {
  return lastChallengedAt === null || !ever ? null : lastChallengedAt - hoursBefore * HOUR_MS;
}

function changesOf(state: PlaygroundState, now: number): ScoreInputs['changes'] {
  const of = (kind: ChangeKind, count: number, latest: number) =>
    Array.from({ length: count }, (_, index) => ({
      kind,
      at: now - (latest + ((WINDOW_DAYS - latest) * index) / count) * DAY_MS,
    }));
  return [
    ...of('price_change', state.priceChanges, state.priceDays),
    ...of('payto_change', state.payToChanges, state.payToDays),
    ...of('asset_network_change', state.assetChanges, state.assetDays),
  ];
}

function advertisedOf(state: PlaygroundState): ScoreInputs['advertised'] {
  if (!state.advertises) return null;
  return {
    amountUsd: usd(Math.round(MEDIAN_PRICE * state.priceFactor)),
    network: state.networkKnown ? 'eip155:8453' : 'example:1',
    payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    falseUsdc: state.falseUsdc,
    networkKnown: state.networkKnown,
    protocolVersion: state.legacy ? 1 : 2,
  };
}

function marketOf({ chainRead, volume, payers, topShare }: PlaygroundState) {
  if (!chainRead) return { settlement: null, networksRead: 0 };
  // Nobody's volume is none.
  const paid = payers > 0 ? { volumeUsd30d: volume, topPayerShare: topShare / 100 } : null;
  return {
    settlement: { payers30d: payers, ...(paid ?? { volumeUsd30d: 0, topPayerShare: 0 }) },
    networksRead: 1,
  };
}

/** Millionths of a dollar as prices are written. */
function usd(millionths: number): string {
  return (millionths / 1_000_000).toFixed(6);
}
