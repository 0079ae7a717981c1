import type { RuleCases } from './rule-case.ts';
import {
  REQUEST_URL,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
} from '../../testing/fixtures.ts';
import type { ChallengeResponse } from '../../types.ts';

function withHeaders(...headers: [string, string][]): ChallengeResponse {
  const { headers: usual, ...response } = v2Response();
  return { ...response, headers: [...usual, ...headers] };
}

function withStatus(status: number, headers: [string, string][] = []): ChallengeResponse {
  return { url: REQUEST_URL, status, headers, body: null };
}

const DECLARES_POST = v2Envelope({
  extensions: { bazaar: { info: { input: { type: 'http', method: 'POST' } } } },
});
const CORS: [string, string] = ['Access-Control-Allow-Origin', '*'];

/**
 * Example responses for the rules on the HTTP response as a whole. The rule `http-reachable` has no example, because it
 * fails only when there is no response.
 */
export const HTTP_CASES: RuleCases = {
  'http-status-402': {
    pass: { response: v2Response() },
    fail: { response: v2Response(v2Envelope(), { status: 200 }) },
    skip: { response: withStatus(401) },
  },
  'http-not-5xx': {
    pass: { response: v2Response() },
    fail: { response: withStatus(502) },
    skip: { response: withStatus(501) },
  },
  'http-no-redirect': {
    pass: { response: v2Response() },
    fail: { response: withStatus(301, [['Location', `${REQUEST_URL}/`]]) },
  },
  'http-https': {
    pass: { response: v2Response() },
    fail: { response: v2Response(v2Envelope(), { url: REQUEST_URL.replace('https:', 'http:') }) },
    skip: { response: v2Response(v2Envelope(), { url: 'http://localhost:3000/v1/weather' }) },
  },
  'http-declared-method-402': {
    pass: { response: v2Response(DECLARES_POST, { method: 'POST' }) },
    fail: { response: v2Response(DECLARES_POST, { method: 'POST', status: 405 }) },
    skip: { response: v2Response(DECLARES_POST, { method: 'GET' }) },
  },
  'http-cache-control': {
    pass: { response: v2Response() },
    fail: { response: withHeadersOnly(['Cache-Control', 'no-cache']) },
    skip: { response: v1Response() },
  },
  'http-v1-content-type': {
    pass: { response: v1Response() },
    fail: { response: v1Response(v1Envelope(), { headers: [['Content-Type', 'text/html']] }) },
    skip: { response: v2Response() },
  },
  'http-cors-expose': {
    pass: {
      response: withHeaders(CORS, ['Access-Control-Expose-Headers', 'Payment-Required, Payment-Response']),
    },
    fail: { response: withHeaders(CORS) },
    skip: { response: v2Response() },
  },
  'http-challenge-size': {
    pass: { response: v2Response() },
    fail: { response: v2Response(v2Envelope({ error: 'x'.repeat(8_000) })) },
    skip: { response: v1Response() },
  },
  'envelope-present': {
    pass: { response: v1Response() },
    fail: { response: { ...withStatus(402), body: '<h1>Pay</h1>' } },
    skip: { response: withStatus(200) },
  },
  'terms-stable': {
    pass: { response: v2Response(), context: { secondResponse: v2Response() } },
    fail: {
      response: v2Response(),
      context: { secondResponse: v2Response(v2Envelope({ accepts: [v2Option({ amount: '10001' })] })) },
    },
    skip: { response: v1Response(v1Envelope({ accepts: [v1Option()] })) },
  },
};

function withHeadersOnly(...headers: [string, string][]): ChallengeResponse {
  const { headers: usual, ...response } = v2Response();
  return { ...response, headers: [...usual.filter(([name]) => name === 'PAYMENT-REQUIRED'), ...headers] };
}
