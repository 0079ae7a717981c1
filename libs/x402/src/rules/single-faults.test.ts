import { expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import {
  BASE_USDC,
  dualResponse,
  EURC,
  encode,
  REQUEST_URL,
  POLYGON,
  SEPOLIA,
  SOLANA,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../testing/fixtures.ts';
import type { ChallengeResponse } from '../types.ts';

const EXTENSIONS = {
  bazaar: {
    info: { input: { type: 'http', method: 'GET' }, output: { type: 'json', example: { celsius: 21 } } },
    schema: { properties: { input: { type: 'object' } } },
  },
};
const V1 = v1Envelope({
  accepts: [v1Option({ outputSchema: { input: { type: 'http', method: 'GET' } } })],
});
const V2 = v2Envelope({ extensions: EXTENSIONS });
const NO_STORE = ['cache-control', 'no-store'] as const;
const JSON_TYPE = ['content-type', 'application/json'] as const;

function respond(status: number, ...headers: readonly (readonly [string, string])[]): ChallengeResponse {
  return { url: REQUEST_URL, method: 'GET', status, headers, body: '' };
}

function offerV2(...changes: readonly JsonObject[]): ChallengeResponse {
  return v2Response({ ...V2, accepts: changes.map((change) => v2Option(change)) });
}

/** Creates a response with both versions. The version 1 option has the given change. */
function offerV1(change: JsonObject): ChallengeResponse {
  return dualResponse(V2, v1Envelope({ accepts: [v1Option(change)] }));
}

function sendHeader(...values: readonly string[]): ChallengeResponse {
  return respond(402, NO_STORE, ...values.map((value) => ['PAYMENT-REQUIRED', value] as const));
}

function sendBody(body: string, change: Partial<ChallengeResponse> = {}): ChallengeResponse {
  return { ...respond(402, NO_STORE, JSON_TYPE), body, ...change };
}

/** Each response has one fault, and exactly the given finding. */
test.each<[cause: string, response: ChallengeResponse, id: string]>([
  ['no payment', respond(200), 'http-status-402'],
  ['a server error', respond(503), 'http-not-5xx'],
  ['a redirect', respond(307, ['location', '/v2']), 'http-no-redirect'],
  ['a redirect to nowhere', respond(302), 'http-no-redirect'],
  [
    'an http URL',
    v2Response(
      { ...V2, resource: { url: 'http://api.example.com/v1/weather', description: 'x' } },
      { url: 'http://api.example.com/v1/weather' },
    ),
    'http-https',
  ],
  ['an empty challenge', respond(402, NO_STORE), 'envelope-present'],
  ['a page instead of a challenge', sendBody('<h1>Pay</h1>', { headers: [NO_STORE] }), 'envelope-present'],
  ['a page with a JSON content type', sendBody('<h1>Pay</h1>'), 'v1-body-json'],
  ['a cut body', sendBody(JSON.stringify(V1), { bodyEnd: 'closed' }), 'http-body-complete'],
  ['a body without an end', sendBody(JSON.stringify(V1), { bodyEnd: 'deadline' }), 'http-body-complete'],
  ['an envelope in the body only', sendBody(JSON.stringify(V2)), 'mixed-v2-in-body-only'],
  ['a misnamed header', respond(402, NO_STORE, ['X-PAYMENT-REQUIRED', encode(V2)]), 'v2-header-name'],
  ['a repeated header', sendHeader(encode(V2), encode(V2)), 'v2-header-single'],
  ['a header that is not base64', sendHeader('pay me'), 'v2-base64-standard'],
  ['a header that is not JSON', sendHeader(btoa('pay me')), 'v2-json'],
  ['a header with NaN', sendHeader(btoa('{"x402Version":NaN}')), 'v2-json-strict'],
  ['a header that is too long', sendHeader('A'.repeat(70_000)), 'http-challenge-size'],
  ['an unknown version', sendHeader(encode({ ...V2, x402Version: 3 })), 'v2-version'],
  ['swapped versions', dualResponse(V1, V2), 'mixed-v1-in-header'],
  ['version 1 only', v1Response(V1), 'v2-header-present'],
  ['a version 1 name', offerV2({ network: 'base' }), 'v2-network-not-v1-name'],
  ['a version 1 amount', offerV2({ amount: undefined, maxAmountRequired: '10000' }), 'v2-no-max-amount'],
  ['a network without a chain id', offerV2({ network: 'eip155:base' }), 'v2-network-caip2'],
  ['the network Solana for an EVM option', offerV2({ network: SOLANA.network }), 'v2-asset-shape'],
  ['the network of another token', offerV2({ network: POLYGON.network }), 'v2-asset-network'],
  ['a token of another network', offerV2({ asset: SEPOLIA.asset.toLowerCase() }), 'v2-asset-network'],
  [
    'another token with the name of USDC',
    offerV2({ asset: EURC.toLowerCase(), extra: { name: 'USDC', version: '2' } }),
    'v2-asset-usdc',
  ],
  ['a burn address', offerV2({ payTo: `0x${'0'.repeat(36)}dead` }), 'v2-payto-burn'],
  ['the token as payee', offerV2({ payTo: BASE_USDC.toLowerCase() }), 'v2-payto-is-asset'],
  [
    'another resource in the header',
    dualResponse({ ...V2, resource: { url: 'https://api.example.com/v2', description: 'x' } }, V1),
    'v2-resource-url-matches',
  ],
  ['another resource in the body', offerV1({ resource: 'https://api.example.com/v2' }), 'v1-resource-url'],
  ['a missing content type', offerV1({ mimeType: undefined }), 'v1-mimetype'],
  ['a symbol as asset', offerV1({ asset: 'USDC' }), 'v1-asset'],
  ['no payee', offerV1({ payTo: '' }), 'v1-payto'],
  ['a role as payee', offerV1({ payTo: 'merchant' }), 'v1-payto'],
  ['an unknown name of a network', offerV1({ network: 'nowhere' }), 'v1-network-enum'],
  ['another scheme', offerV1({ scheme: 'upto' }), 'v1-scheme-exact'],
  ['a version 2 id', offerV1({ network: 'eip155:8453' }), 'v1-network-not-caip2'],
  ['an empty output schema', offerV1({ outputSchema: null }), 'v1-all-entries-parse'],
  ['no domain', offerV1({ extra: null }), 'v1-eip712-domain'],
])('%s is one finding', (_, response, id) => {
  const findings = readChallenge({ method: 'GET', ...response }).checks.filter(
    ({ result }) => result === 'fail',
  );
  expect(findings.map((finding) => finding.id)).toEqual([id]);
});
