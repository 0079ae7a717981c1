import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../read-challenge.ts';
import {
  getCheck,
  getResult,
  REQUEST_URL,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Response,
} from '../../testing/fixtures.ts';
import type { Challenge, ChallengeResponse } from '../../types.ts';

const MOVED = 'https://api.example.com/v2/weather';
const OTHER = 'https://pay.example.net/weather';

/** Reads a version 2 challenge at the end of redirects, which names the given resource. */
function readMoved(resourceUrl: string, change: Partial<ChallengeResponse>): Challenge {
  return readChallenge(v2Response(v2Envelope({ resource: { url: resourceUrl } }), change));
}

function readRedirect(location: string | null, change: Partial<ChallengeResponse> = {}): Challenge {
  const headers: [string, string][] = location === null ? [] : [['location', location]];
  return readChallenge({ url: REQUEST_URL, status: 302, headers, body: null, ...change });
}

describe('a followed redirect', () => {
  test('fails only one rule, and names its target', () => {
    const challenge = readMoved(MOVED, { redirects: [{ status: 301, url: MOVED }] });
    expect(challenge).toMatchObject({
      redirectTarget: { status: 301, url: MOVED, isOtherOrigin: false },
      payable: { v2: true },
      verdict: 'warnings',
    });
    expect(getCheck(challenge, 'http-no-redirect').message).toBe(
      `The request is redirected to "${MOVED}" with status 301.`,
    );
  });

  test('has another origin when any hop leads there', () => {
    const redirects = [
      { status: 302, url: OTHER },
      { status: 302, url: MOVED },
    ];
    expect(readMoved(MOVED, { redirects }).redirectTarget).toMatchObject({ url: MOVED, isOtherOrigin: true });
  });

  test('names every hop, a changed method and another origin', () => {
    const redirects = [
      { status: 302, url: `${MOVED}?at=1` },
      { status: 308, url: OTHER },
    ];
    const challenge = readMoved(OTHER, { method: 'POST', redirects });
    expect(challenge.redirectTarget).toEqual({ status: 308, url: OTHER, isOtherOrigin: true });
    expect(getCheck(challenge, 'http-no-redirect').message).toBe(
      `The request is redirected to "${MOVED}" with status 302, then to "${OTHER}" with status 308. Clients then send GET instead of POST. A server of another origin receives the payment.`,
    );
  });

  test.each([
    ['POST', 301, true],
    ['POST', 303, true],
    ['PUT', 303, true],
    ['PUT', 301, false],
    ['POST', 307, false],
    ['GET', 303, false],
    [null, 303, false],
  ])('with method %s and status %i turns the method into GET: %s', (method, status, isChanged) => {
    const challenge = readMoved(MOVED, { method, redirects: [{ status, url: MOVED }] });
    const { message } = getCheck(challenge, 'http-no-redirect');
    expect(message.includes('send GET instead of')).toBe(isChanged);
  });

  test.each([
    [REQUEST_URL, 'pass'],
    [MOVED, 'pass'],
    [OTHER, 'pass'],
    ['https://api.example.com/v3/weather', 'fail warning'],
  ])('may lead to a challenge for %s: %s', (resource, result) => {
    const redirects = [
      { status: 307, url: MOVED },
      { status: 307, url: OTHER },
    ];
    expect(getResult(readMoved(resource, { redirects }), 'v2-resource-url-matches')).toBe(result);
    const v1 = v1Response(v1Envelope({ accepts: [v1Option({ resource })] }), { redirects });
    expect(getResult(readChallenge(v1), 'v1-resource-url')).toBe(result);
  });

  test('binds a sign-in to its target, where clients sign it', () => {
    const info = { domain: 'pay.example.net', uri: OTHER };
    const extensions = { 'sign-in-with-x': { info, schema: {} } };
    const response = v2Response(v2Envelope({ extensions }), { redirects: [{ status: 307, url: OTHER }] });
    expect(getResult(readChallenge(response), 'siwx-domain')).toBe('pass');
  });
});

describe('a redirect that was not followed', () => {
  const hops = [1, 2, 3].map((hop) => ({ status: 307, url: `https://api.example.com/${String(hop)}` }));

  test.each<[location: string, change: Partial<ChallengeResponse>, message: string]>([
    ['/v2', {}, 'The request is redirected to "/v2" with status 302.'],
    [
      'http://api.example.com/v2',
      {},
      'The request is redirected to "http://api.example.com/v2" with status 302. This redirect leads from https to http, so it was not followed.',
    ],
    [
      '/v2',
      { redirects: hops },
      'The request is redirected to "/v2" with status 302, after 3 followed redirects. This redirect was not followed.',
    ],
    [
      OTHER,
      { method: 'PUT' },
      `The request is redirected to "${OTHER}" with status 302. This check sends only GET and POST to another host, so the redirect was not followed.`,
    ],
  ])('to %s with %j is undetermined, because clients follow it', (location, change, message) => {
    const challenge = readRedirect(location, change);
    expect(challenge.verdict).toBe('undetermined');
    expect(getCheck(challenge, 'http-no-redirect').message).toBe(message);
  });

  test.each([
    [null, 'with status 302 and without a Location header, so clients stop there.'],
    ['https://', 'to "https://" with status 302, to which no client can send a request.'],
    ['ftp://example.com/', 'to which no client can send a request.'],
  ])('to %s is unpayable, because clients stop', (location, message) => {
    const challenge = readRedirect(location);
    expect(challenge.verdict).toBe('unpayable');
    expect(getCheck(challenge, 'http-no-redirect').message).toContain(message);
  });
});
