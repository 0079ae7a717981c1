import type { RuleCases, RuleExample } from './rule-case.ts';
import {
  BASE_USDC,
  dualResponse,
  v1Envelope,
  v1Option,
  v1Response,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';

function body(change: JsonObject): RuleExample {
  return { response: v1Response(v1Envelope(change)) };
}

/** Creates a version 1 response whose option has an output schema, so that the rule `v1-output-schema` passes. */
function option(change: JsonObject): RuleExample {
  return body({ accepts: [withOutputSchema(change)] });
}

function withOutputSchema(change: JsonObject): JsonObject {
  return v1Option({ outputSchema: { input: { type: 'http', method: 'GET' } }, ...change });
}

const SOLANA = {
  network: 'solana',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe',
  extra: { feePayer: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe' },
};

const VALID = option({});
const VERSION_2: RuleExample = { response: v2Response() };

/** Example responses for the rules on version 1. */
export const V1_CASES: RuleCases = {
  'v1-body-json': {
    pass: VALID,
    fail: { response: v1Response(undefined, { body: '{"x402Version":1,' }) },
    skip: VERSION_2,
  },
  'v1-version': {
    pass: VALID,
    fail: body({ x402Version: '1', accepts: [withOutputSchema({})] }),
    skip: VERSION_2,
  },
  'v1-error': {
    pass: VALID,
    fail: body({ error: null, accepts: [withOutputSchema({})] }),
    skip: VERSION_2,
  },
  'v1-accepts-nonempty': { pass: VALID, fail: body({ accepts: [] }), skip: VERSION_2 },
  'v1-all-entries-parse': {
    pass: VALID,
    fail: body({ accepts: [withOutputSchema({}), 'base'] }),
    skip: body({ accepts: [] }),
  },
  'v1-scheme-exact': { pass: VALID, fail: option({ scheme: 'upto' }), skip: VERSION_2 },
  'v1-network-enum': {
    pass: VALID,
    fail: option({ network: 'arbitrum' }),
    skip: option({ network: 'eip155:8453' }),
  },
  'v1-network-not-caip2': { pass: VALID, fail: option({ network: 'eip155:8453' }), skip: VERSION_2 },
  'v1-max-amount': { pass: VALID, fail: option({ maxAmountRequired: '0.01' }), skip: VERSION_2 },
  'v1-amount-positive': {
    pass: VALID,
    fail: option({ maxAmountRequired: '0' }),
    skip: option({ maxAmountRequired: 'nothing' }),
  },
  'v1-resource-url': { pass: VALID, fail: option({ resource: '/v1/weather' }), skip: VERSION_2 },
  'v1-description': { pass: VALID, fail: option({ description: undefined }), skip: VERSION_2 },
  'v1-mimetype': { pass: VALID, fail: option({ mimeType: undefined }), skip: VERSION_2 },
  'v1-payto': { pass: VALID, fail: option({ payTo: BASE_USDC }), skip: VERSION_2 },
  'v1-asset': { pass: option(SOLANA), fail: option({ asset: 'USDC' }), skip: VERSION_2 },
  'v1-timeout': { pass: VALID, fail: option({ maxTimeoutSeconds: 0 }), skip: VERSION_2 },
  'v1-eip712-domain': { pass: VALID, fail: option({ extra: {} }), skip: option(SOLANA) },
  'v1-eip712-domain-value': {
    pass: VALID,
    fail: option({ extra: { name: 'USDC', version: '2' } }),
    skip: option({ extra: {} }),
  },
  'v1-output-schema': {
    pass: VALID,
    fail: option({ outputSchema: {} }),
    skip: { response: dualResponse() },
  },
};
