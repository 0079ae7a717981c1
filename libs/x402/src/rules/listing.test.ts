import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { readListing } from '../read-listing.ts';
import { LISTING_RULES } from './listing.ts';
import {
  checkOf,
  dualResponse,
  PAY_TO,
  resultOf,
  URL_ASKED,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type Bag,
} from '../testing/fixtures.ts';
import type { Challenge, ChallengeResponse } from '../types.ts';

const IDS = new Set(LISTING_RULES.map(({ id }) => id));
const OTHER = '0x1111111111111111111111111111111111111111';
const POLYGON = { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' };

function faults(challenge: Challenge): string[] {
  return challenge.checks.filter(({ id, result }) => result === 'fail' && IDS.has(id)).map(({ id }) => id);
}

function judged(response: ChallengeResponse, listed: Bag[], at?: number): Challenge {
  const result = readListing({
    resource: URL_ASKED,
    x402Version: 2,
    accepts: listed,
    lastUpdated: '2026-05-01T00:00:00Z',
  });
  return readChallenge(response, { listing: result.ok ? result.listing : null, at });
}

function offering(...accepts: Bag[]): ChallengeResponse {
  return v2Response(v2Envelope({ accepts }));
}

describe('a listing', () => {
  test('of either version agrees with either, and any of its options will do', () => {
    for (const response of [v2Response(), v1Response(), dualResponse()]) {
      expect(faults(judged(response, [v1Option()]))).toEqual([]);
      expect(faults(judged(response, [v2Option({ ...POLYGON, payTo: OTHER }), v2Option()]))).toEqual([]);
      expect(faults(judged(response, [v2Option({ amount: '1', payTo: OTHER }), v2Option()]))).toEqual([]);
      const lower = v2Option({
        payTo: PAY_TO.toLowerCase(),
        asset: String(v2Option()['asset']).toLowerCase(),
      });
      expect(faults(judged(response, [lower]))).toEqual([]);
    }
  });

  test('agrees on every asset it shares with the endpoint', () => {
    const live = offering(v2Option(), v2Option({ ...POLYGON, amount: '99' }));
    expect(faults(judged(live, [v2Option()]))).toEqual([]);
    expect(faults(judged(live, [v2Option(), v2Option({ ...POLYGON, payTo: OTHER })]))).toEqual([
      'listing-price',
      'listing-payto',
    ]);
  });

  test('is compared within one scheme, as a ceiling is no price', () => {
    const ceiling = v2Option({ scheme: 'upto', amount: '50000', payTo: OTHER });
    expect(faults(judged(v2Response(), [ceiling]))).toEqual([]);
    expect(resultOf(judged(v2Response(), [ceiling]), 'listing-price')).toBe('skip');
    expect(faults(judged(offering(ceiling, v2Option()), [v2Option({ amount: '1' })]))).toEqual([
      'listing-price',
    ]);
  });

  test('says what differs, in dollars where they are known', () => {
    const challenge = judged(v2Response(), [v2Option({ amount: '5000', payTo: '\u001B[31mme' })]);
    expect(checkOf(challenge, 'listing-price').message).toBe(
      'The directory lists $0.005000, and the endpoint asks $0.010000.',
    );
    expect(checkOf(challenge, 'listing-payto').message).toContain('the wallet "[31mme"');
    const unknown = judged(offering(v2Option({ asset: OTHER })), [v2Option({ asset: OTHER, amount: '7' })]);
    expect(checkOf(unknown, 'listing-price').message).toBe(
      'The directory lists 7 atomic units, and the endpoint asks 10000 atomic units.',
    );
  });

  test('is one finding by the first thing that differs', () => {
    expect(faults(judged(v2Response(), [v2Option({ ...POLYGON, amount: '1', payTo: OTHER })]))).toEqual([
      'listing-network',
    ]);
    expect(faults(judged(v2Response(), [v2Option({ asset: OTHER, amount: '1', payTo: PAY_TO })]))).toEqual([
      'listing-asset',
    ]);
  });

  test('is not compared with an answer that offers nothing', () => {
    const gone = { url: URL_ASKED, status: 404, headers: [], body: null };
    for (const response of [gone, offering()]) {
      const challenge = judged(response, [v2Option()]);
      for (const id of IDS) expect(resultOf(challenge, id)).toBe('skip');
    }
  });

  test.each([
    ['2026-05-31T00:00:00Z', 'pass'],
    ['2026-05-31T23:59:59Z', 'pass'],
    ['2026-06-01T00:00:00Z', 'fail info'],
    ['2025-01-01T00:00:00Z', 'pass'],
  ])('not updated since May 1, on %s: %s', (at, result) => {
    const challenge = judged(v2Response(), [v2Option()], Date.parse(at));
    expect(resultOf(challenge, 'listing-stale')).toBe(result);
  });
});
