import type { RuleCases } from '../rule-case.ts';
import { encode, v1Response, v2Envelope, v2Option, v2Response } from '../../testing/fixtures.ts';
import type { ChallengeResponse } from '../../types.ts';

/** The textbook answer with this value of the header, sent this many times. */
function carrying(value: string, times = 1, name = 'PAYMENT-REQUIRED'): ChallengeResponse {
  const headers = Array.from({ length: times }, (): [string, string] => [name, value]);
  return v2Response(undefined, { headers: [['Cache-Control', 'no-store'], ...headers] });
}

/** The textbook answer with a header that holds this JSON text. */
function writing(change: (json: string) => string): ChallengeResponse {
  return carrying(btoa(change(JSON.stringify(v2Envelope()))));
}

const TEXTBOOK = encode(v2Envelope());
/** Two question marks in a row come out with a slash, which the URL-safe alphabet writes otherwise. */
const URL_SAFE = encode(v2Envelope({ error: '???>>>' }))
  .replaceAll('+', '-')
  .replaceAll('/', '_');

/** Examples of the rules on the PAYMENT-REQUIRED header and on the list of options in it. */
export const V2_HEADER_CASES: RuleCases = {
  'v2-header-present': {
    pass: { response: v2Response() },
    fail: { response: carrying('', 0) },
    skip: { response: v1Response(v2Envelope()) },
  },
  'v2-header-name': {
    pass: { response: v2Response() },
    fail: { response: carrying(TEXTBOOK, 1, 'X-Payment-Required') },
    skip: { response: v1Response() },
  },
  'v2-header-single': {
    pass: { response: v2Response() },
    fail: { response: carrying(TEXTBOOK, 2) },
    skip: { response: v1Response() },
  },
  'v2-base64-standard': {
    pass: { response: v2Response() },
    fail: { response: carrying(URL_SAFE) },
    skip: { response: v1Response() },
  },
  'v2-json': {
    pass: { response: v2Response() },
    fail: { response: writing((json) => json.slice(0, -1)) },
    skip: { response: carrying(URL_SAFE) },
  },
  'v2-json-strict': {
    pass: { response: v2Response() },
    fail: { response: writing((json) => json.replace('"10000"', 'NaN')) },
    skip: { response: writing((json) => json.slice(0, -1)) },
  },
  'v2-json-unique-keys': {
    pass: { response: v2Response() },
    fail: { response: writing((json) => json.replace('"amount"', String.raw`"amoun\u0074":"1","amount"`)) },
    skip: { response: carrying(URL_SAFE) },
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
