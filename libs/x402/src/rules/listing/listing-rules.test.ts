import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import { readListing } from '../../listing/read-listing.ts';
import { LISTING_RULES } from './listing-rules.ts';
import {
  getCheck,
  dualResponse,
  PAY_TO,
  getResult,
  REQUEST_URL,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import type { Challenge, ChallengeResponse } from '../../types.ts';

const IDS = new Set(LISTING_RULES.map(({ id }) => id));
const OTHER = '0x1111111111111111111111111111111111111111';
const POLYGON = { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' };

function faults(challenge: Challenge): string[] {
  return challenge.checks.filter(({ id, result }) => result === 'fail' && IDS.has(id)).map(({ id }) => id);
}

function compare(response: ChallengeResponse, listed: JsonObject[], at?: number): Challenge {
  const result = readListing({
    resource: REQUEST_URL,
    x402Version: 2,
    accepts: listed,
    lastUpdated: '2026-05-01T00:00:00Z',
  });
  return readChallenge(response, { listing: result.ok ? result.listing : null, receivedAt: at });
}

function createOffer(...accepts: JsonObject[]): ChallengeResponse {
  return v2Response(v2Envelope({ accepts }));
}

describe('a listing', () => {
  test('matches responses of both versions by any of its options', () => {
    for (const response of [v2Response(), v1Response(), dualResponse()]) {
      expect(faults(compare(response, [v1Option()]))).toEqual([]);
      expect(faults(compare(response, [v2Option({ ...POLYGON, payTo: OTHER }), v2Option()]))).toEqual([]);
      expect(faults(compare(response, [v2Option({ amount: '1', payTo: OTHER }), v2Option()]))).toEqual([]);
      const lower = v2Option({
        payTo: PAY_TO.toLowerCase(),
        asset: String(v2Option()['asset']).toLowerCase(),
      });
      expect(faults(compare(response, [lower]))).toEqual([]);
    }
  });

  test('is compared on every asset that it shares with the endpoint', () => {
    const live = createOffer(v2Option(), v2Option({ ...POLYGON, amount: '99' }));
    expect(faults(compare(live, [v2Option()]))).toEqual([]);
    expect(faults(compare(live, [v2Option(), v2Option({ ...POLYGON, payTo: OTHER })]))).toEqual([
      'listing-price',
      'listing-payto',
    ]);
  });

  test('is compared within one scheme, because an upto maximum is not a price', () => {
    const maximum = v2Option({ scheme: 'upto', amount: '50000', payTo: OTHER });
    expect(faults(compare(v2Response(), [maximum]))).toEqual([]);
    expect(getResult(compare(v2Response(), [maximum]), 'listing-price')).toBe('skip');
    expect(faults(compare(createOffer(maximum, v2Option()), [v2Option({ amount: '1' })]))).toEqual([
      'listing-price',
    ]);
  });

  test('reports prices in dollars if they are known', () => {
    const challenge = compare(v2Response(), [v2Option({ amount: '5000', payTo: '\u001B[31mme' })]);
    expect(getCheck(challenge, 'listing-price').message).toBe(
      'The directory lists a price of $0.005000; the endpoint requests $0.010000.',
    );
    expect(getCheck(challenge, 'listing-payto').message).toContain('the wallet "[31mme"');
    const unknown = compare(createOffer(v2Option({ asset: OTHER })), [
      v2Option({ asset: OTHER, amount: '7' }),
    ]);
    expect(getCheck(unknown, 'listing-price').message).toBe(
      'The directory lists a price of 7 atomic units; the endpoint requests 10000 atomic units.',
    );
  });

  test('reports only the first difference', () => {
    expect(faults(compare(v2Response(), [v2Option({ ...POLYGON, amount: '1', payTo: OTHER })]))).toEqual([
      'listing-network',
    ]);
    expect(faults(compare(v2Response(), [v2Option({ asset: OTHER, amount: '1', payTo: PAY_TO })]))).toEqual([
      'listing-asset',
    ]);
  });

  test('is not compared with a response without options', () => {
    const gone = { url: REQUEST_URL, status: 404, headers: [], body: null };
    for (const response of [gone, createOffer()]) {
      const challenge = compare(response, [v2Option()]);
      for (const id of IDS) expect(getResult(challenge, id)).toBe('skip');
    }
  });

  test.each([
    ['2026-05-31T00:00:00Z', 'pass'],
    ['2026-05-31T23:59:59Z', 'pass'],
    ['2026-06-01T00:00:00Z', 'fail info'],
    ['2025-01-01T00:00:00Z', 'pass'],
  ])('last updated on May 1, checked on %s: %s', (at, result) => {
    const challenge = compare(v2Response(), [v2Option()], Date.parse(at));
    expect(getResult(challenge, 'listing-stale')).toBe(result);
  });
});
