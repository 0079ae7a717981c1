import type { RuleCases } from './rule-case.ts';
import { encode, v1Response, v2Envelope, v2Option, v2Response } from '../../testing/fixtures.ts';
import type { ChallengeResponse } from '../../types.ts';

/** Creates a correct version 2 response in which the header with the given name and value occurs `times` times. */
function withHeader(value: string, times = 1, name = 'PAYMENT-REQUIRED'): ChallengeResponse {
  const headers = Array.from({ length: times }, (): [string, string] => [name, value]);
  return v2Response(undefined, { headers: [['Cache-Control', 'no-store'], ...headers] });
}

/** Creates a correct version 2 response, but with changed JSON text in its payment header. */
function withJson(change: (json: string) => string): ChallengeResponse {
  return withHeader(btoa(change(JSON.stringify(v2Envelope()))));
}

const VALID = encode(v2Envelope());
/** Envelope in URL-safe base64. The text ???>>> makes sure that it contains - and _, which standard base64 lacks. */
const URL_SAFE = encode(v2Envelope({ error: '???>>>' }))
  .replaceAll('+', '-')
  .replaceAll('/', '_');

/** Example responses for the rules on the PAYMENT-REQUIRED header and its list of options. */
export const V2_HEADER_CASES: RuleCases = {
  'v2-header-present': {
    pass: { response: v2Response() },
    fail: { response: withHeader('', 0) },
    skip: { response: v1Response(v2Envelope()) },
  },
  'v2-header-name': {
    pass: { response: v2Response() },
    fail: { response: withHeader(VALID, 1, 'X-Payment-Required') },
    skip: { response: v1Response() },
  },
  'v2-header-single': {
    pass: { response: v2Response() },
    fail: { response: withHeader(VALID, 2) },
    skip: { response: v1Response() },
  },
  'v2-base64-standard': {
    pass: { response: v2Response() },
    fail: { response: withHeader(URL_SAFE) },
    skip: { response: v1Response() },
  },
  'v2-json': {
    pass: { response: v2Response() },
    fail: { response: withJson((json) => json.slice(0, -1)) },
    skip: { response: withHeader(URL_SAFE) },
  },
  'v2-json-strict': {
    pass: { response: v2Response() },
    fail: { response: withJson((json) => json.replace('"10000"', 'NaN')) },
    skip: { response: withJson((json) => json.slice(0, -1)) },
  },
  'v2-json-unique-keys': {
    pass: { response: v2Response() },
    fail: { response: withJson((json) => json.replace('"amount"', String.raw`"amoun\u0074":"1","amount"`)) },
    skip: { response: withHeader(URL_SAFE) },
  },
  'v2-version': {
    pass: { response: v2Response() },
    fail: { response: v2Response(v2Envelope({ x402Version: '2' })) },
    skip: { response: v1Response() },
  },
  'v2-error-type': {
    pass: { response: v2Response(v2Envelope({ error: undefined })) },
    fail: { response: v2Response(v2Envelope({ error: { code: 402 } })) },
    skip: { response: v1Response() },
  },
  'v2-accepts-array': {
    pass: { response: v2Response() },
    fail: { response: v2Response(v2Envelope({ accepts: v2Option() })) },
    skip: { response: v1Response() },
  },
  'v2-accepts-nonempty': {
    pass: { response: v2Response() },
    fail: { response: v2Response(v2Envelope({ accepts: [] })) },
    skip: { response: v2Response(v2Envelope({ accepts: v2Option() })) },
  },
  'v2-accepts-max': {
    pass: { response: v2Response(v2Envelope({ accepts: Array.from({ length: 16 }, () => v2Option()) })) },
    fail: { response: v2Response(v2Envelope({ accepts: Array.from({ length: 17 }, () => v2Option()) })) },
    skip: { response: v2Response(v2Envelope({ accepts: [] })) },
  },
};
