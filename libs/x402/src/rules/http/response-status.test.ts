import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import { readListing, type Listing } from '../../listing/read-listing.ts';
import { getResult, REQUEST_URL, v1Option, v2Envelope, v2Response } from '../../testing/fixtures.ts';

/** Creates a listing of a discovery directory. The listing declares the request method POST. */
function createPostListing(): Listing | null {
  const outputSchema = { input: { type: 'http', method: 'POST' } };
  const result = readListing({ resource: REQUEST_URL, accepts: [v1Option({ outputSchema })] });
  return result.ok ? result.listing : null;
}

describe('a status other than 402 when POST is declared', () => {
  const outcome = (method: string | null, status: number, listing = createPostListing()): string =>
    getResult(
      readChallenge({ url: REQUEST_URL, method, status, headers: [], body: null }, { listing }),
      'http-status-402',
    );

  test.each([404, 405, 501])('skips a GET response with status %i', (status) => {
    expect(outcome('GET', status)).toBe('skip');
    expect(outcome('head', status)).toBe('skip');
    expect(outcome('POST', status)).toBe('fail error');
    expect(outcome(null, status)).toBe('fail error');
    expect(outcome('GET', status, null)).toBe('fail error');
  });

  test.each([200, 302, 410, 418, 503])('reports a GET response with status %i', (status) => {
    expect(outcome('GET', status)).toBe('fail error');
  });

  test('reads the declared method from the response', () => {
    const declared = v2Envelope({
      extensions: { bazaar: { info: { input: { type: 'http', method: 'POST' } } } },
    });
    const response = v2Response(declared, { method: 'GET', status: 405 });
    expect(getResult(readChallenge(response), 'http-status-402')).toBe('skip');
  });
});
