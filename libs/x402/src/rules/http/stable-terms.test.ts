import { expect, test } from 'vitest';
import { readChallenge } from '../../read-challenge.ts';
import { HTTP_RULES } from './http-rules.ts';
import {
  DOMAIN,
  dualResponse,
  getCheck,
  OTHER_WALLET,
  PAY_TO,
  POLYGON,
  REQUEST_URL,
  SOLANA,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Offer,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';
import type { ChallengeResponse } from '../../types.ts';

/** First and second response to the same request; null when no second request was sent. */
type Example = readonly [ChallengeResponse, ChallengeResponse | null];

const EXPENSIVE = { amount: '20000' };
const ANNOUNCED = v2Response(
  v2Envelope({ resource: { url: REQUEST_URL, description: 'Tokens; the price varies by model' } }),
);
/** Members of `extra` that may change with every response. */
const VOLATILE = [
  ...['nonce', 'memo', 'recentBlockhash', 'lastValidBlockHeight', 'recentSlot', 'requestId', 'timestamp'],
  ...['expiry', 'expiresAt', 'request_id', 'X-Nonce', 'issued-at', 'captureDeadline', 'validUntil', 'iat'],
];

function respond(status: number): ChallengeResponse {
  return { url: REQUEST_URL, status, headers: [], body: null };
}

/** Creates version 2 responses whose options differ only in `extra`. */
function withExtra(one: unknown, other: unknown, change: JsonObject = {}): Example {
  return [v2Offer({ ...change, extra: one }), v2Offer({ ...change, extra: other })];
}

/** Creates version 1 responses whose options differ by the given changes. */
function inVersion1(one: JsonObject, other: JsonObject): Example {
  const offer = (change: JsonObject): ChallengeResponse =>
    v1Response(v1Envelope({ accepts: [v1Option(change)] }));
  return [offer(one), offer(other)];
}

function read([response, secondResponse]: Example): ReturnType<typeof readChallenge> {
  return readChallenge(response, secondResponse === null ? {} : { secondResponse });
}

testRules<Example>({
  rules: HTTP_RULES.filter(({ id }) => id === 'terms-stable'),
  read,
  cases: {
    'terms-stable': {
      pass: [
        [v2Offer({}, POLYGON), v2Offer(POLYGON, { payTo: PAY_TO.toLowerCase() })],
        [dualResponse(), v2Response()],
        withExtra({ version: '2', name: 'USD Coin' }, DOMAIN),
        withExtra({ of: { a: 1, b: 2 } }, { of: { b: 2, a: 1 } }),
        withExtra({ of: [{ nonce: 1 }] }, { of: [{ nonce: 2 }] }),
        ...VOLATILE.map((name) => withExtra({ ...DOMAIN, [name]: 1 }, { ...DOMAIN, [name]: 2 })),
        ...VOLATILE.map((name) => withExtra({ ...DOMAIN, [name]: 1 }, DOMAIN)),
      ],
      warning: [
        [v2Offer({}, {}), v2Offer({})],
        [v2Offer({}), v2Offer(EXPENSIVE)],
        [v2Offer({}), v2Offer({ payTo: OTHER_WALLET })],
        // Even if a dynamic price is announced, the payee and the EIP-712 domain must stay the same.
        [ANNOUNCED, v2Offer({ payTo: OTHER_WALLET })],
        [v2Offer({ scheme: 'upto' }), v2Offer({ scheme: 'upto', ...EXPENSIVE, extra: { name: 'USDC' } })],
        // The second response serves the resource without payment.
        ...[200, 204, 299].map((status): Example => [v2Response(), respond(status)]),
        [v2Response(), v2Response(undefined, { status: 200 })],
        // Another x402 version counts as a change, even if the payment options stay the same.
        ...[[v2Response(), v1Response()] as const, [v1Response(), v2Response()] as const],
        withExtra({ ...DOMAIN, name: 'USDC' }, DOMAIN),
        withExtra(DOMAIN, { ...DOMAIN, version: '1' }),
        withExtra(DOMAIN, { version: '2' }),
        withExtra(DOMAIN, undefined),
        inVersion1({ extra: DOMAIN }, { extra: { ...DOMAIN, name: 'USDC' } }),
      ],
      info: [
        // The price is announced as dynamic.
        [v2Offer({ scheme: 'upto' }), v2Offer({ scheme: 'upto', ...EXPENSIVE })],
        [ANNOUNCED, v2Offer(EXPENSIVE)],
        inVersion1(
          { description: 'Dynamic price', maxAmountRequired: '1' },
          { description: 'Dynamic price', maxAmountRequired: '2' },
        ),
        withExtra({ ...DOMAIN, facilitator: 'a' }, { ...DOMAIN, facilitator: 'b' }),
        withExtra(DOMAIN, { ...DOMAIN, paymentFlow: 'upfront' }),
        withExtra({ of: { a: 1, b: 2 } }, { of: { a: 1, b: 3 } }),
        ...['chainId', 'format', 'timeoutSeconds', 'feePayer', '__proto__'].map((name) =>
          withExtra(JSON.parse(`{"${name}":{"a":1}}`), JSON.parse(`{"${name}":{"a":2}}`)),
        ),
        // Only EVM networks have an EIP-712 domain.
        withExtra({ name: 'a' }, { name: 'b' }, SOLANA),
      ],
      skip: [
        ...[0, 302, 400, 402, 429, 503].map((status): Example => [v2Response(), respond(status)]),
        ...[0, 302, 400, 429, 503].map((status): Example => [
          v2Response(),
          { ...v2Offer(EXPENSIVE), status },
        ]),
        [respond(429), v2Response()],
        [v2Response(undefined, { status: 200 }), v2Response()],
        [v2Response(), null],
      ],
    },
  },
});

test.each<[string, Example]>([
  ['status 299', [v2Response(), respond(299)]],
  ['first version 1, then version 2', [v1Response(), v2Response()]],
  ['EIP-712', withExtra(DOMAIN, { ...DOMAIN, name: 'USDC' })],
  [
    '"a", "b", "c" and 2 more',
    withExtra({ a: 1, b: 1, c: 1, d: 1, ['\u001B[31m']: 1 }, { a: 2, b: 2, c: 2, d: 2, ['\u001B[31m']: 2 }),
  ],
])('the message contains "%s"', (text, example) => {
  expect(getCheck(read(example), 'terms-stable').message).toContain(text);
});

test('compares large members in linear time', () => {
  const extra = (value: number): JsonObject =>
    Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`m${String(index)}`, value]));
  const body = (value: number): ChallengeResponse =>
    v1Response(v1Envelope({ accepts: Array(64).fill(v1Option({ extra: extra(value) })) }));
  const started = performance.now();
  expect(getCheck(read([body(1), body(2)]), 'terms-stable').severity).toBe('info');
  expect(performance.now() - started).toBeLessThan(30_000);
});
