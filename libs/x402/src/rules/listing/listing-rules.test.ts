import { expect, test } from 'vitest';
import { readChallenge } from '../../read-challenge.ts';
import { readListing } from '../../listing/read-listing.ts';
import { LISTING_RULES } from './listing-rules.ts';
import {
  BASE_USDC,
  dualResponse,
  getCheck,
  OTHER_WALLET,
  PAY_TO,
  POLYGON,
  REQUEST_URL,
  v1Option,
  v1Response,
  v2Offer,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';
import type { Challenge, ChallengeResponse } from '../../types.ts';

/** Options of a directory listing, and the response of the listed endpoint. */
interface Example {
  readonly listed: readonly JsonObject[];
  readonly response?: ChallengeResponse;
  /** Time of the last change of the listing. */
  readonly lastUpdated?: string | undefined;
  /** Time of the response; null when it is not known. */
  readonly at?: string | null;
}

function read({ listed, response = v2Response(), at = '2026-05-31T00:00:00Z', ...item }: Example): Challenge {
  const result = readListing({
    resource: REQUEST_URL,
    x402Version: 2,
    accepts: listed,
    lastUpdated: '2026-05-01T00:00:00Z',
    ...item,
  });
  return readChallenge(response, {
    listing: result.ok ? result.listing : null,
    receivedAt: at === null ? undefined : Date.parse(at),
  });
}

function list(...changes: readonly JsonObject[]): Example {
  return { listed: changes.map((change) => v2Option(change)) };
}

/** Examples in which at least one option of the listing matches the endpoint. */
const MATCHING = [v2Response(), v1Response(), dualResponse()].flatMap((response): Example[] => [
  { response, listed: [v1Option()] },
  { response, ...list({ ...POLYGON, payTo: OTHER_WALLET }, {}) },
  { response, ...list({ amount: '1', payTo: OTHER_WALLET }, {}) },
  { response, ...list({ payTo: PAY_TO.toLowerCase(), asset: BASE_USDC.toLowerCase() }) },
]);
const TWO_ASSETS = v2Offer({}, { ...POLYGON, amount: '99' });
/** Option whose amount is a maximum and not a price. */
const MAXIMUM = { scheme: 'upto', amount: '50000', payTo: OTHER_WALLET };
/** Responses without options. */
const NO_OPTIONS = [v2Offer(), { ...v2Response(), status: 404, headers: [], body: null }].map((response) => ({
  ...list({}),
  response,
}));

testRules<Example>({
  rules: LISTING_RULES,
  read,
  overlaps: { 'listing-price': ['listing-payto'], 'listing-payto': ['listing-price'] },
  cases: {
    'listing-network': {
      pass: [...MATCHING, list({ network: 'base' })],
      warning: [list(POLYGON), list({ ...POLYGON, amount: '1', payTo: OTHER_WALLET })],
      skip: [...NO_OPTIONS, list()],
    },
    'listing-price': {
      pass: [...MATCHING, { ...list({}), response: TWO_ASSETS }],
      warning: [
        list({ amount: '5000' }),
        // Every asset that the listing shares with the endpoint is compared.
        { ...list({}, { ...POLYGON, payTo: OTHER_WALLET }), response: TWO_ASSETS },
        { ...list({ amount: '1' }), response: v2Offer(MAXIMUM, {}) },
      ],
      skip: [...NO_OPTIONS, list({ amount: '0.01' }), list(MAXIMUM)],
    },
    'listing-payto': {
      pass: [...MATCHING, { ...list({}), response: TWO_ASSETS }],
      warning: [
        list({ payTo: OTHER_WALLET }),
        { ...list({}, { ...POLYGON, payTo: OTHER_WALLET }), response: TWO_ASSETS },
      ],
      skip: NO_OPTIONS,
    },
    'listing-asset': {
      pass: MATCHING,
      warning: [list({ asset: OTHER_WALLET }), list({ asset: OTHER_WALLET, amount: '1' })],
      skip: [...NO_OPTIONS, list(POLYGON)],
    },
    'listing-stale': {
      pass: ['2026-05-31T23:59:59Z', '2025-01-01T00:00:00Z'].map((at) => ({ ...list({}), at })),
      info: [{ ...list({}), at: '2026-06-01T00:00:00Z' }],
      skip: [
        { ...list({}), at: null },
        { ...list({}), lastUpdated: undefined },
      ],
    },
  },
});

test('a response without a listing skips the rules', () => {
  const challenge = readChallenge(v2Response());
  for (const { id } of LISTING_RULES) expect(getCheck(challenge, id).result).toBe('skip');
});

test.each<[string, Example, string]>([
  [
    'listing-price',
    list({ amount: '5000' }),
    'The directory lists a price of $0.005000; the endpoint requests $0.010000.',
  ],
  [
    'listing-price',
    { ...list({ asset: OTHER_WALLET, amount: '7' }), response: v2Offer({ asset: OTHER_WALLET }) },
    'The directory lists a price of 7 atomic units; the endpoint requests 10000 atomic units.',
  ],
  ['listing-payto', list({ payTo: '\u001B[31mme' }), 'the wallet "[31mme"'],
])('%s names both values', (id, example, text) => {
  expect(getCheck(read(example), id).message).toContain(text);
});
