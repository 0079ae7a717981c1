import { describe, expect, it } from 'vitest';
import { findBodyFaults } from './body-faults.ts';
import { findMissingInput } from './missing-input.ts';

/** Returns a version 2 challenge whose discovery extension has an output schema and required inputs. */
function declareV2({ output, example, required }: { output?: object; example?: unknown; required?: object }) {
  const schema = {
    properties: {
      input: { properties: required ?? {} },
      output: { properties: { type: { type: 'string' }, ...(output ? { example: output } : {}) } },
    },
  };
  const info = { input: { type: 'http', method: 'GET' }, output: { type: 'json', example } };
  return toChallenge({ x402Version: 2, accepts: [{}], extensions: { bazaar: { info, schema } } });
}

const declareV1 = (outputSchema: object) =>
  toChallenge({ x402Version: 1, accepts: [{ scheme: 'exact', maxAmountRequired: '1', outputSchema }] });

function toChallenge(json: object) {
  const header = ['PAYMENT-REQUIRED', btoa(JSON.stringify(json))] as const;
  return {
    headers: 'extensions' in json ? [header] : [],
    body: JSON.stringify(json),
    bodyEnd: 'complete' as const,
  };
}

const WEATHER = { type: 'object', properties: { celsius: { type: 'number' } }, required: ['celsius'] };
const JSON_BODY = { contentType: 'application/json; charset=utf-8' };

describe('the body of a response', () => {
  it.each<[string, object, string[] | null]>([
    ['matches', { ...JSON_BODY, body: '{"celsius":21,"city":"Oslo"}' }, []],
    [
      'differs',
      { ...JSON_BODY, body: '{"celsius":"warm"}' },
      [expect.stringContaining('"#/celsius"') as string],
    ],
    ['is no object', { ...JSON_BODY, body: '[]' }, [expect.stringContaining('declared schema') as string]],
    ['is no JSON', { ...JSON_BODY, body: '<html>' }, ['The content type is JSON, but the body is not JSON.']],
    ['is text', { contentType: 'text/html', body: '<html>' }, null],
    ['is empty', { ...JSON_BODY, body: '' }, null],
    ['is too long', { ...JSON_BODY, body: `{"celsius":"${'x'.repeat(70_000)}"}` }, null],
  ])('that %s is compared with the declared schema', (_, received, faults) => {
    for (const challenged of [declareV2({ output: WEATHER }), declareV1({ output: WEATHER })])
      expect(findBodyFaults(challenged, received as never)).toEqual(faults);
  });

  it.each<[string, ReturnType<typeof toChallenge>]>([
    ['there is none', declareV2({})],
    ['the challenge declares nothing', toChallenge({ x402Version: 2, accepts: [] })],
    ['the example of the seller violates it', declareV2({ output: WEATHER, example: { celsius: 'warm' } })],
    ['it has a keyword that is not evaluated', declareV2({ output: { ...WEATHER, pattern: '(a+)+$' } })],
    ['it has references', declareV2({ output: { type: 'object', $ref: '#/$defs/a' } })],
    ['it is no schema of an object or a list', declareV1({ output: { type: 'string' } })],
    ['it is an example', declareV1({ output: { celsius: 21 } })],
    [
      'it is not JSON Schema',
      declareV1({ output: { type: 'object', properties: { a: { required: true } } } }),
    ],
  ])('is not judged by a schema if %s', (_, challenged) => {
    expect(findBodyFaults(challenged, { ...JSON_BODY, body: '{"celsius":"warm"}' })).toBeNull();
  });
});

describe('an input that a request lacks', () => {
  const GET = { method: 'GET' as const, url: 'https://api.example.com/?city=Oslo', body: null };
  const POST = { method: 'POST' as const, url: 'https://api.example.com/', body: '{"city":"Oslo"}' };
  const needs = (place: string, ...required: string[]) => declareV2({ required: { [place]: { required } } });

  it.each<[string | null, ReturnType<typeof toChallenge>, typeof GET | typeof POST]>([
    [null, needs('queryParams', 'city'), GET],
    ['unit', needs('queryParams', 'city', 'unit'), GET],
    [null, needs('body', 'city'), POST],
    ['days', needs('body', 'city', 'days'), POST],
    ['X-Key', needs('headers', 'X-Key'), GET],
    [null, declareV1({ input: { queryParams: { city: {}, unit: { required: false } } } }), GET],
    [null, declareV1({ input: { queryParams: { unit: 'Unit (optional)' } } }), GET],
    ['unit', declareV1({ input: { queryParams: { unit: { type: 'string' } } } }), GET],
    ['days', declareV1({ input: { body_fields: { city: 'City', days: 'Days' } } }), POST],
    ['X-Key', declareV1({ input: { headerFields: { 'X-Key': 'Key' } } }), GET],
    [null, toChallenge({ x402Version: 2 }), GET],
  ])('is %j', (name, challenged, request) => {
    expect(findMissingInput(challenged, request)).toBe(name);
  });
});
