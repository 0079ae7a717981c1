import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { readListing, type Listing } from '../read-listing.ts';
import { resultOf, URL_ASKED, v1Option, v2Envelope, v2Response } from '../testing/fixtures.ts';

/** A listing whose seller declares POST. */
function listingOfPost(): Listing | null {
  const outputSchema = { input: { type: 'http', method: 'POST' } };
  const result = readListing({ resource: URL_ASKED, accepts: [v1Option({ outputSchema })] });
  return result.ok ? result.listing : null;
}

describe('a status other than 402, where POST is declared', () => {
  const outcome = (method: string | null, status: number, listing = listingOfPost()): string =>
    resultOf(
      readChallenge({ url: URL_ASKED, method, status, headers: [], body: null }, { listing }),
      'http-status-402',
    );

  test.each([404, 405, 501])('says nothing when GET is answered %i', (status) => {
    expect(outcome('GET', status)).toBe('skip');
    expect(outcome('head', status)).toBe('skip');
    expect(outcome('POST', status)).toBe('fail error');
    expect(outcome(null, status)).toBe('fail error');
    expect(outcome('GET', status, null)).toBe('fail error');
  });

  test.each([200, 302, 410, 418, 503])('is a fault when GET is answered %i', (status) => {
    expect(outcome('GET', status)).toBe('fail error');
  });

  test('may be declared by the answer itself', () => {
    const declared = v2Envelope({
      extensions: { bazaar: { info: { input: { type: 'http', method: 'POST' } } } },
    });
    const answer = v2Response(declared, { method: 'GET', status: 405 });
    expect(resultOf(readChallenge(answer), 'http-status-402')).toBe('skip');
  });
});
