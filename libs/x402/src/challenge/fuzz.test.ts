import { expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { readListing, type Listing } from '../listing/read-listing.ts';
import { RULES } from '../rules/rules.ts';
import { v2Option } from '../testing/fixtures.ts';
import { mutateResponse } from '../testing/mutate-response.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';
import type { Challenge, ChallengeResponse, Check } from '../types.ts';

/**
 * Number of mutated responses, 20,000 with SLOW=1. For a long run: `FUZZ_RUNS=1000000 npx vitest run --project x402
 * fuzz`. FUZZ_SEED sets the first seed.
 */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? (process.env['SLOW'] === '1' ? 20_000 : 2_000));
const FIRST_SEED = Number(process.env['FUZZ_SEED'] ?? 1);
/** Maximum time to read one response, in milliseconds. Only unbounded work exceeds this time. */
const MAX_RUN_MS = 30_000;
/** Timeout of the test: two minutes plus 10 ms for each response, many times the usual duration. */
const TIMEOUT_MS = 120_000 + 10 * RUNS;
const MAX_TEXT_LENGTH = 500;
const UINT256 = 1n << 256n;
const IDS = RULES.map(({ id }) => id).join();
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
/** Sentences about a facilitator or a buyer, whose verbs do not tell the severity. */
const OTHER_SUBJECTS = /Sellers reported that [^.]*\.|The buyer must [^.]*\./g;

/**
 * Returns the first violated invariant, or the first text that is too long or unsafe; null for a consistent challenge.
 */
function findViolation(challenge: Challenge): string | null {
  const { checks, options, payable, refusals, settles, settlementFailures, source, verdict, version } =
    challenge;
  if (checks.map(({ id }) => id).join() !== IDS) return 'a rule is missing or in the wrong position';
  const isRefused = verdict === 'unpayable' || verdict === 'undetermined';
  if (isRefused !== (!settles.v1 && !settles.v2)) return `verdict ${verdict} contradicts settles`;
  for (const client of ['v1', 'v2'] as const) {
    if (payable[client] !== (refusals[client] === null)) return `payable.${client} contradicts refusals`;
    if (settles[client] !== (payable[client] && settlementFailures[client] === null))
      return `settles.${client} contradicts settlementFailures`;
  }
  const isError = checks.some(
    ({ result, axis, severity }) => result === 'fail' && axis === 'payable' && severity === 'error',
  );
  if ((verdict === 'errors') !== (isError && !isRefused)) return `verdict ${verdict} contradicts the checks`;
  if (verdict === 'unpayable' && !isError) return 'no error explains why the challenge is unpayable';
  const isMissing = checks.some(({ id, result }) => id === 'envelope-present' && result === 'fail');
  if (isMissing && (payable.v1 || payable.v2)) return 'envelope-present contradicts payable';
  const misworded = checks.find((check) => check.result === 'fail' && !isWordedBySeverity(check));
  if (misworded !== undefined) return `wrong verb (${misworded.severity}): ${misworded.message}`;
  if ((version === null) !== (source === null)) return 'version contradicts source';
  if (version === null && options.length > 0) return 'options without a version';
  if (options.length > 64) return 'more than 64 options';
  if (options.some(({ amount }) => amount !== null && (amount < 0n || amount >= UINT256)))
    return 'an amount is outside 256 bits';
  const texts = [
    ...checks.map(({ message }) => message),
    ...Object.values(settlementFailures).filter((text) => text !== null),
    ...options.flatMap(({ scheme, network, asset, payTo }) => [scheme, network, asset, payTo]),
  ];
  return texts.find((text) => text.length > MAX_TEXT_LENGTH || !isShowable(text)) ?? null;
}

/** Returns true if an error says what must be, and another failure says what should be. */
function isWordedBySeverity({ severity, message }: Check): boolean {
  const words = message.replaceAll(QUOTED, '').replaceAll(OTHER_SUBJECTS, '');
  return !(severity === 'error' ? /\bshould\b/ : /\b(?:must|refuses?|rejects?)\b/).test(words);
}

/** Returns true for well-formed text without line breaks and without control or invisible characters. */
function isShowable(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\u200b\u2028-\u202e\u2066-\u2069\ufeff]/u.test(text);
}

/**
 * Returns a listing with the options of the body. If the body has no options, the listing has an option with another
 * price.
 */
function toListing({ url, body }: ChallengeResponse): Listing | null {
  let members: object = {};
  try {
    members = Object(JSON.parse(body ?? '')) as object;
  } catch {
    // The body is not JSON.
  }
  const result = readListing({ accepts: [v2Option({ amount: '7' })], ...members, resource: url });
  return result.ok ? result.listing : null;
}

test(
  `every mutated response (of ${String(RUNS)}) gives a consistent challenge`,
  () => {
    let slowestMs = 0;
    const verdicts = new Set<string>();
    const failed = new Set<string>();
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
      const response = mutateResponse(createSeededRandom(seed));
      const other = mutateResponse(createSeededRandom(seed + 1));
      const startedAt = performance.now();
      const challenge = readChallenge(response, { secondResponse: other, listing: toListing(other) });
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      const violation = findViolation(challenge);
      if (violation !== null) throw new Error(`Seed ${String(seed)}: ${violation}`);
      verdicts.add(challenge.verdict);
      for (const { id, result } of challenge.checks) if (result === 'fail') failed.add(id);
    }
    expect(slowestMs).toBeLessThan(MAX_RUN_MS);
    // The mutated responses must lead to every verdict and violate most rules. Otherwise they test too little.
    expect(verdicts).toEqual(new Set(['pass', 'warnings', 'errors', 'unpayable', 'undetermined']));
    expect(failed.size).toBeGreaterThan(70);
  },
  TIMEOUT_MS,
);
