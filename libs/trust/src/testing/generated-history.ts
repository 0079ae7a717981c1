import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { toPublishableInputs } from '../report/report-inputs.ts';
import type { ReturningWallet, ScoreInputs } from '../types.ts';
import { createFailure, NOW, withLastChallenge } from './fixtures.ts';
import type { Cause, ProbeFinding } from './probe-findings.ts';
import { foldHistory, SLOTS_PER_DAY, type ChallengeTerms, type History } from './probe-history.ts';
import { withListing } from './story.ts';

/** Probes with the same finding, with the times of the first and the last probe in milliseconds. */
export interface PlacedProbes {
  readonly finding: ProbeFinding;
  readonly slots: number;
  readonly from: number;
  readonly last: number;
  readonly detail: string | null;
  readonly terms: ChallengeTerms;
}

/** Probe history with the score inputs that follow from it. */
export interface GeneratedHistory {
  readonly inputs: ScoreInputs;
  readonly probes: readonly PlacedProbes[];
  /** Time of a successful probe for a purchased report, which is in no count; null without such a probe. */
  readonly purchasedUpAt: number | null;
}

/** Returns the next number of a pseudorandom sequence, 0 to 1 exclusive. */
type Random = () => number;

/** Creates a pseudorandom sequence that depends only on the seed: a linear congruential generator. */
function createRandom(seed: number): Random {
  let state = (seed * 2_654_435_761 + 12_345) % 4_294_967_296;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const pick = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[Math.floor(random() * values.length)] ?? values[0];

const toCause = (error: string, detail: string): Cause => ({
  ...createFailure({ error, detail }),
  httpStatus: null,
});
const DOWN_CAUSES = [
  toCause('http-503', 'HTTP 503 Service Unavailable.'),
  toCause('http-404', 'HTTP 404 Not Found.'),
  toCause('timeout', 'No response within 10 s.'),
] as const;
const BLOCKED_CAUSES = [
  toCause('http-403', 'HTTP 403 Forbidden.'),
  toCause('http-429', 'HTTP 429 Too Many Requests.'),
] as const;

const FINDINGS = [
  ...(['pass', 'pass', 'pass', 'warnings', 'errors', 'unpayable', 'down', 'down'] as const),
  ...(['blocked', 'redirected', 'ours', 'away', 'data', 'gate'] as const),
] as const satisfies readonly ProbeFinding[];
const WALLETS = ['0x01d', '0x2ef', '0x3ab'] as const;
const PRICES = [10_000, 10_000, 10_000, 12_000, 500_000, null] as const;
const NETWORKS = ['eip155:8453', 'eip155:8453', 'eip155:137'] as const;
const SLOTS = [1, 1, 2, 5, 30, 48, 49, 300, 700] as const;
const SLOT_MS = DAY_MS / SLOTS_PER_DAY;

/** Creates a history of 1 to 6 stretches. Most stretches of a history have one of two findings. */
function createHistory(random: Random): History {
  const usual = [pick(random, FINDINGS), pick(random, FINDINGS)] as const;
  let terms: ChallengeTerms = { microUsd: 10_000, payTo: WALLETS[0], network: NETWORKS[0] };
  return Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
    const finding = random() < 0.7 ? pick(random, usual) : pick(random, FINDINGS);
    if (random() < 0.3) terms = { ...terms, payTo: pick(random, WALLETS) };
    if (random() < 0.3) terms = { ...terms, microUsd: pick(random, PRICES) };
    if (random() < 0.2) terms = { ...terms, network: pick(random, NETWORKS) };
    const cause =
      finding === 'down' ? pick(random, DOWN_CAUSES) : finding === 'blocked' && pick(random, BLOCKED_CAUSES);
    const latencyMs = pick(random, [100, 900, 6_000]);
    return { slots: pick(random, SLOTS), finding, latencyMs, terms, ...(cause && { cause }) };
  });
}

/** Assigns times to the stretches: probes are half an hour apart, and the last probe is half an hour before `NOW`. */
function placeProbes(history: History): PlacedProbes[] {
  let at = NOW - history.reduce((sum, { slots }) => sum + slots, 0) * SLOT_MS;
  return history.flatMap(({ slots, finding, cause, terms }) => {
    const from = at;
    at += slots * SLOT_MS;
    if (finding === 'away' || terms === undefined) return [];
    return [{ finding, slots, from, last: at - SLOT_MS, detail: cause?.detail ?? null, terms }];
  });
}

/** Returns the defects of the latest challenge that fit its compliance result. */
function createChallengeDefects(
  random: Random,
  { latestCompliance, advertised }: ScoreInputs,
): Partial<Pick<ScoreInputs, 'lastChallenge'>> {
  if (latestCompliance === null) return {};
  const isFaulty = latestCompliance === 'errors' || latestCompliance === 'unpayable';
  const target = 'https://other.example/data';
  const reasons =
    advertised?.falseUsdc === true
      ? (['The token "0xfa15e" is named USDC but is not the USDC of "eip155:8453".'] as const)
      : (['extra names the token "USDC" version "2".', 'payTo is "pay now".', null] as const);
  return withLastChallenge({
    headerBodyMismatch: random() < 0.1,
    neededSettings:
      !isFaulty && random() < 0.2
        ? [{ kind: pick(random, ['amount', 'token', 'scheme']), setting: 'the limit' }]
        : [],
    failedRules: isFaulty ? pick(random, [['v2-extra'], ['a', 'b', 'c', 'd'], []]) : [],
    notPayableReason: latestCompliance === 'unpayable' ? pick(random, reasons) : null,
    redirect: random() < 0.1 ? { status: 307, target, otherOrigin: random() < 0.5 } : null,
  });
}

function createSenders(random: Random, returned: number): readonly ReturningWallet[] {
  const share = pick(random, [0.9, 0.5]);
  const network = NETWORKS[0];
  return [
    { network, address: WALLETS[0], isFunded: false, returnedUsd30d: returned * share },
    { network, address: WALLETS[2], isFunded: true, returnedUsd30d: returned * (1 - share) },
  ].slice(0, pick(random, [0, 1, 2]));
}

function createSettlement(random: Random): Pick<ScoreInputs, 'settlement' | 'networksRead'> {
  if (random() < 0.4) return { settlement: null, networksRead: pick(random, [0, 0.5, 1, null]) };
  const payers30d = pick(random, [0, 1, 2, 150]);
  const volumeUsd30d = payers30d * 60.5;
  const isPartial = payers30d > 0 && random() < 0.2;
  const returned = random() < 0.3 ? 1 + pick(random, [0.1, 3]) * volumeUsd30d : 0;
  const settlement = {
    ...{ volumeUsd30d, payers30d, topPayerShare: payers30d === 0 ? null : 1 / payers30d },
    ...(isPartial ? { partial: true } : {}),
    ...(returned > 0 ? { returnedUsd30d: returned, returnedBy: createSenders(random, returned) } : {}),
  };
  return { settlement, networksRead: settlement.partial === true ? 0.5 : 1 };
}

function createListing(random: Random): Parameters<typeof withListing>[0] {
  const falseUsdc = random() < 0.05;
  return { falseUsdc, falseUsdcAsset: falseUsdc ? '0xfa15e' : null, networkKnown: random() < 0.95 };
}

/** Creates a probe history and its score inputs from a seed. */
export function generateHistory(seed: number): GeneratedHistory {
  const random = createRandom(seed);
  const history = createHistory(random);
  const probes = placeProbes(history);
  const first = probes[0]?.from ?? NOW;
  // A report that was purchased before the first scheduled probe found the endpoint up.
  const purchasedUpAt = random() < 0.1 ? first - HOUR_MS / 2 : null;
  const folded = foldHistory(history, {
    ...{ now: NOW, listed: random() < 0.9, templated: random() < 0.1, description: 'Weather by city' },
    ...createSettlement(random),
    ...(random() < 0.2 ? { payToSharedWith: pick(random, [1, 3, 1_000]) } : {}),
    ...(random() < 0.2 ? { payToSharedOnHost: pick(random, [1, 12, 1_000]) } : {}),
    firstSeen: (purchasedUpAt ?? first) - pick(random, [0, HOUR_MS, 40 * DAY_MS]),
    ...(random() < 0.7 ? withListing(createListing(random)) : {}),
  });
  const inputs = {
    ...{ ...folded, lastUpAt: folded.lastUpAt ?? purchasedUpAt },
    ...createChallengeDefects(random, folded),
    // A clock that was set back makes the latest probes later than the time of the score.
    now: random() < 0.05 ? NOW - HOUR_MS : NOW,
  };
  return { inputs: toPublishableInputs(inputs), probes, purchasedUpAt };
}
