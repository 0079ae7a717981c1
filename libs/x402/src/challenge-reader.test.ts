import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createChallengeReader, type ChallengeReader } from './challenge-reader.ts';
import { readChallenge, type ChallengeContext } from './read-challenge.ts';
import { dualResponse, encode, OTHER_WALLET, v2Envelope, v2Option, v2Response } from './testing/fixtures.ts';
import { mutateResponse } from './testing/mutate-response.ts';
import { createSeededRandom, type SeededRandom } from './testing/seeded-random.ts';
import type { ChallengeResponse } from './types.ts';

type Context = Pick<ChallengeContext, 'declaredMethod' | 'settledThrough'>;
type Probed = readonly [response: ChallengeResponse, context: Context];

/** Number of mutated responses, 2,000 with SLOW=1. As in the fuzz test, `FUZZ_RUNS` and `FUZZ_SEED` set other values. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? (process.env['SLOW'] === '1' ? 2_000 : 150));
const FIRST_SEED = Number(process.env['FUZZ_SEED'] ?? 1);

function createReader(maxBytes?: number): ChallengeReader {
  return createChallengeReader({
    digest: (text) => hash('sha256', text, 'buffer'),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
}

/** Reads a response three times: the third result is remembered. Throws when a result differs from `readChallenge`. */
function readThreeTimes(read: ChallengeReader, [response, context]: Probed, title: string): void {
  const expected = readChallenge(response, context);
  for (const time of ['first', 'second', 'third'])
    if (!isDeepStrictEqual(read(response, context), expected))
      throw new Error(`${title}: the ${time} result differs from that of readChallenge`);
}

const withHeader = (response: ChallengeResponse, name: string, value: string): ChallengeResponse => ({
  ...response,
  headers: [...response.headers.filter(([given]) => given.toLowerCase() !== name), [name, value]],
});
const withEnvelope = (response: ChallengeResponse, change: Record<string, unknown>): ChallengeResponse =>
  withHeader(response, 'payment-required', encode(v2Envelope(change)));

/** Changes of one member that rules read, in any response. */
const CHANGES: readonly (readonly [member: string, change: (probed: Probed) => Probed])[] = [
  ['url', ([response, context]) => [{ ...response, url: 'http://api.example.com/v1/weather' }, context]],
  ['method', ([response, context]) => [{ ...response, method: 'POST' }, context]],
  ['status', ([response, context]) => [{ ...response, status: 418 }, context]],
  ['body', ([response, context]) => [{ ...response, body: '{"payment_options":[1]}' }, context]],
  ['end of the body', ([response, context]) => [{ ...response, bodyEnd: 'closed' }, context]],
  ['interim status', ([response, context]) => [{ ...response, interimStatuses: [100] }, context]],
  [
    'redirect',
    ([response, context]) => [
      { ...response, redirects: [{ status: 307, url: 'https://other.example.com/' }] },
      context,
    ],
  ],
  [
    'status of the declared method',
    ([response]) => [response, { declaredMethod: { method: 'POST', status: 200 } }],
  ],
  ['facilitators of the endpoint', ([response]) => [response, { settledThrough: ['coinbase'] }]],
  ['size of the headers', ([response, context]) => [withHeader(response, 'x', 'x'.repeat(20_000)), context]],
  ...(
    [
      ['cache-control', 'public, max-age=60'],
      ['content-type', 'text/html'],
      ['content-encoding', 'br,br,br,br,br,br'],
      ['access-control-allow-origin', '*'],
      ['access-control-allow-credentials', 'true'],
      ['access-control-expose-headers', 'payment-required'],
      ['location', 'https://other.example.com/'],
      ['www-authenticate', 'L402 token="1"'],
      ['x-402-version', '1'],
      ['x-payment', encode(v2Envelope())],
      ['payment-required', encode(v2Envelope({ accepts: [v2Option({ payTo: OTHER_WALLET, amount: '0' })] }))],
    ] as const
  ).map(
    ([name, value]) =>
      [
        `header ${name}`,
        ([response, context]: Probed): Probed => [withHeader(response, name, value), context],
      ] as const,
  ),
];

/** Adds members to a mutated response that only a probe can observe. */
function observe(response: ChallengeResponse, random: SeededRandom): Probed {
  return [
    {
      ...response,
      bodyEnd: random.pick(['complete', 'complete', 'closed', 'size-limit', 'too-long', 'deadline', null]),
      interimStatuses: random.oneIn(4) ? [random.pick([100, 103])] : [],
    },
    {
      declaredMethod: random.oneIn(3)
        ? { method: random.pick(['GET', 'POST']), status: random.pick([200, 402, 404, null]) }
        : null,
      settledThrough: random.oneIn(3) ? [random.pick(['coinbase', 'other'])] : [],
    },
  ];
}

describe('a challenge reader', () => {
  // The small memory forgets judgements within the test.
  test.each([undefined, 64 * 1_024])('returns the result of readChallenge with %s bytes', (maxBytes) => {
    const read = createReader(maxBytes);
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
      const random = createSeededRandom(seed);
      const probed = observe(mutateResponse(random), random);
      readThreeTimes(read, probed, `Seed ${String(seed)}`);
      const [member, change] = random.pick(CHANGES);
      readThreeTimes(read, change(probed), `Seed ${String(seed)} with another ${member}`);
      readThreeTimes(read, probed, `Seed ${String(seed)} after another ${member}`);
    }
  });

  const valid: ChallengeResponse = { ...v2Response(), method: 'GET' };
  /** Responses of which at least one is judged differently after each change. */
  const BASES: readonly Probed[] = [
    valid,
    dualResponse(),
    { ...valid, headers: [] },
    { ...valid, status: 302 },
    withEnvelope(valid, { extensions: { bazaar: { info: { input: { type: 'http', method: 'POST' } } } } }),
    withEnvelope(valid, { resource: { url: valid.url, description: 'x'.repeat(501) } }),
    withHeader(
      withHeader(valid, 'access-control-allow-origin', '*'),
      'access-control-expose-headers',
      'payment-required, payment-response',
    ),
    withHeader(withHeader(valid, 'access-control-allow-origin', '*'), 'access-control-expose-headers', '*'),
  ].map((response) => [response, {}]);

  test.each(CHANGES)('distinguishes responses by the %s', (...[member, change]) => {
    const read = createReader();
    for (const base of BASES) {
      readThreeTimes(read, base, 'base');
      readThreeTimes(read, change(base), member);
    }
    // Without this condition, the test would pass for a member that no rule reads.
    const isRead = BASES.some(
      (base) => !isDeepStrictEqual(readChallenge(...base), readChallenge(...change(base))),
    );
    expect([member, isRead]).toEqual([member, true]);
  });

  test('judges a repeated response once, also when headers differ that no rule reads', () => {
    const read = createReader();
    const probe = (id: number) =>
      read({
        ...v2Response(),
        headers: [
          ...v2Response().headers,
          ['Date', `Sat, 28 Nov 2026 00:00:0${String(id)} GMT`],
          ['X-Request-Id', String(id)],
          ['WWW-Authenticate', `Payment id="${String(id)}"`],
        ],
      });
    const [first, second, third] = [probe(1), probe(2), probe(3)];
    expect([first.dialects, second.dialects]).toEqual([['mpp'], ['mpp']]);
    expect(second.checks).not.toBe(first.checks);
    expect(third.checks).toBe(second.checks);
  });

  test('shares equal judgements of different responses, but not their terms', () => {
    const read = createReader();
    const offer = (amount: string) => v2Response(v2Envelope({ accepts: [v2Option({ amount })] }));
    const [cheap, dear] = ['1000', '2000'].map((amount) => [1, 2, 3].map(() => read(offer(amount))).at(-1));
    expect(dear?.checks).toBe(cheap?.checks);
    expect([cheap, dear].map((challenge) => challenge?.options[0]?.amount)).toEqual([1_000n, 2_000n]);
  });
});
