import { expect, test } from 'vitest';
import { readChallenge } from './read-challenge.ts';
import { RULES } from '../rules/rules.ts';
import { mutateResponse } from '../testing/mutate-response.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';
import type { Challenge } from '../types.ts';

/** `FUZZ_RUNS=1000000 npx vitest run --project x402 fuzz` is the long run; FUZZ_SEED starts it elsewhere. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60_000);
const FIRST_SEED = Number(process.env['FUZZ_SEED'] ?? 1);
/** Far above what any answer takes: only work that grows out of bounds gets there, not a busy machine. */
const LONGEST_MS = 5_000;
/** Two milliseconds for each run, several times what one takes. */
const TIMEOUT_MS = 60_000 + 2 * RUNS;
const LONGEST_MESSAGE = 500;
const UINT256 = 1n << 256n;
const IDS = RULES.map(({ id }) => id).join();

/** What must hold of every reading, whatever was read; the first thing that does not, or null. */
function broken({ checks, options, payable, verdict }: Challenge): string | null {
  if (checks.map(({ id }) => id).join() !== IDS) return 'a rule is missing or out of place';
  const isRefused = verdict === 'unpayable' || verdict === 'undetermined';
  if (isRefused !== (!payable.v1 && !payable.v2)) return `${verdict} is not what payable says`;
  if (options.length > 64) return 'more options than are read';
  if (options.some(({ amount }) => amount !== null && (amount < 0n || amount >= UINT256))) return 'an amount';
  const texts = [
    ...checks.map(({ message }) => message),
    ...options.flatMap(({ scheme, network, asset, payTo }) => [scheme, network, asset, payTo]),
  ];
  return texts.find((text) => text.length > LONGEST_MESSAGE || !isShowable(text)) ?? null;
}

/** One line of well-formed text that no terminal or database takes for anything else. */
function isShowable(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\u200b\u2028-\u202e\u2066-\u2069\ufeff]/u.test(text);
}

test(
  `no mutated answer (${String(RUNS)} of them) breaks reading`,
  () => {
    let slowestMs = 0;
    const verdicts = new Set<string>();
    const failed = new Set<string>();
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
      const answer = mutateResponse(createSeededRandom(seed));
      const startedAt = performance.now();
      const challenge = readChallenge(answer, { secondResponse: answer });
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      const fault = broken(challenge);
      if (fault !== null) throw new Error(`Seed ${String(seed)}: ${fault}`);
      verdicts.add(challenge.verdict);
      for (const { id, result } of challenge.checks) if (result === 'fail') failed.add(id);
    }
    expect(slowestMs).toBeLessThan(LONGEST_MS);
    // The mutations reach all there is to reach, or they would prove little.
    expect(verdicts).toEqual(new Set(['pass', 'warnings', 'errors', 'unpayable', 'undetermined']));
    expect(failed.size).toBeGreaterThan(70);
  },
  TIMEOUT_MS,
);
