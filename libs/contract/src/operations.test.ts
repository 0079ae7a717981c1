import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPERATIONS, operationAt } from './operations.ts';
import { PROBLEMS, PROBLEMS_OF_EVERY_PATH, type ProblemCode } from './problem.ts';

/** Codes of operations on watches, none of which is here. */
const OF_WATCHES: readonly ProblemCode[] = [
  'unauthorized',
  'watch-not-found',
  'watch-not-renewable',
  'delivery-unreachable',
];

const PRINTABLE = /^[\x20-\x7e]*$/;

/** The path of an operation with its examples filled in. */
function examplePath({ path, parameters }: (typeof OPERATIONS)[number]): string {
  return parameters.reduce((filled, { name, example }) => filled.replace(`{${name}}`, example), path);
}

describe('the operations', () => {
  it('cost what the interface says', () => {
    const priced = OPERATIONS.map(({ method, path, priceUsd }) => [`${method} ${path}`, priceUsd]);
    expect(Object.fromEntries(priced)).toEqual({
      'POST /v1/x402-trust': '0.005000',
      'POST /v1/x402-history': '0.020000',
      'GET /v1/x402-trust-preview': null,
      'POST /v1/x402-trust-preview': null,
      'GET /trust/leaderboard': null,
      'GET /trust/stats': null,
      'GET /.well-known/touchstone-keys.json': null,
      'GET /openapi.json': null,
      'GET /schemas/{name}/{file}': null,
    });
  });

  it('have ids and places of their own', () => {
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
    expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(OPERATIONS.length);
  });

  it('use every problem, but those of any path and those of watches', () => {
    const used = new Set(OPERATIONS.flatMap(({ problems }) => problems));
    const unused = Object.keys(PROBLEMS).filter((code) => !used.has(code as ProblemCode));
    expect(unused.sort()).toEqual([...PROBLEMS_OF_EVERY_PATH, ...OF_WATCHES].sort());
  });
});

describe.each(OPERATIONS)('$method $path', (operation) => {
  const { parameters, requestBody, response, summary, description, tags, priceUsd, problems } = operation;

  it('has examples that its schemas take', () => {
    expect(response.schema.safeParse(response.example)).toMatchObject({ success: true });
    expect(requestBody === null || requestBody.schema.safeParse(requestBody.example).success).toBe(true);
    for (const { schema, example } of parameters) expect(schema.parse(example)).toBe(example);
  });

  it('is found by its method and path alone', () => {
    expect(operationAt(operation.method, examplePath(operation))).toBe(operation);
    expect(operationAt(operation.method, `${examplePath(operation)}/`)).toBeNull();
    expect(operationAt('DELETE', examplePath(operation))).toBeNull();
  });

  it('is described and tagged as facilitators take it', () => {
    expect(description.length).toBeLessThanOrEqual(500);
    expect(tags.length).toBeLessThanOrEqual(5);
    expect([description, summary, ...tags].filter((text) => !PRINTABLE.test(text))).toEqual([]);
  });

  it('names each problem once, and those of payments only where it is paid', () => {
    expect(new Set(problems).size).toBe(problems.length);
    const ofPayments = problems.filter((code) => code.startsWith('payment-') || code === 'invalid-payment');
    expect(ofPayments.length).toBe(priceUsd === null ? 0 : 4);
  });
});

describe('operationAt', () => {
  it('answers any method and any path', () => {
    const segments = fc.array(fc.oneof(fc.string(), fc.constantFrom('schemas', 'v1', '{name}', '..', '')));
    fc.assert(
      fc.property(fc.constantFrom('GET', 'POST', ''), segments, (method, parts) => {
        const path = `/${parts.join('/')}`;
        const found = operationAt(method, path);
        if (found === null) return;
        expect(found.method).toBe(method);
        expect(found.path.split('/').length).toBe(path.split('/').length);
      }),
    );
  });

  it('takes nothing for an empty part of a path', () => {
    expect(operationAt('GET', '/schemas//1.0.0.json')).toBeNull();
  });
});

describe.each(OPERATIONS)('the abridged answer of $method $path', (operation) => {
  const { outputExample, response, priceUsd } = operation;

  it('is there where a challenge has to show one', () => {
    expect(outputExample === null).toBe(priceUsd === null);
  });

  it('is a part of the whole one', () => {
    for (const [name, value] of Object.entries(outputExample ?? {})) {
      const all = response.example[name];
      expect(value).toEqual(Array.isArray(all) && Array.isArray(value) ? all.slice(0, value.length) : all);
    }
  });

  it('leaves room in a header of 8 KB', () => {
    expect(btoa(JSON.stringify(outputExample)).length).toBeLessThan(2_000);
  });
});
