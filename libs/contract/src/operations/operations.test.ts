import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS, findOperation } from './operations.ts';
import { toExamplePath } from './operation-model.ts';
import { getArgumentName } from '../mcp/tools.ts';
import { WATCH_ID_EXAMPLE } from './watch/watch-ids.ts';
import { PROBLEMS, COMMON_PROBLEMS, type ProblemCode } from '../shared/problem.ts';

const PRINTABLE = /^[\x20-\x7e]*$/;

describe('the operations', () => {
  it('have the prices of the interface specification', () => {
    const priced = OPERATIONS.filter(({ priceUsd }) => priceUsd !== null).map(
      ({ method, path, priceUsd }) => [`${method} ${path}`, priceUsd],
    );
    expect(Object.fromEntries(priced)).toEqual({
      'POST /v1/x402-trust': '0.005000',
      'POST /v1/x402-history': '0.020000',
      'POST /v1/semantic-search': '0.001000',
      'POST /v1/similar': '0.005000',
      'POST /v1/x402-trust-bulk-10': '0.045000',
      'POST /v1/x402-trust-bulk-50': '0.200000',
      'POST /v1/x402-trust-bulk-100': '0.325000',
      'POST /v1/x402-trust-bulk-200': '0.400000',
      'POST /v1/x402-trust-bulk-500': '0.500000',
      'POST /v1/watch-endpoint-30d': '0.200000',
      'POST /v1/watch/{id}/renew': '0.200000',
    });
  });

  it('have unique ids', () => {
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
  });

  it('use every problem except the common problems and the problem of pictures, which are not operations', () => {
    const used = new Set(OPERATIONS.flatMap(({ problems }) => problems));
    const unused = Object.keys(PROBLEMS).filter((code) => !used.has(code as ProblemCode));
    expect(unused.sort()).toEqual([...COMMON_PROBLEMS, 'picture-unavailable'].sort());
  });

  it('need a secret exactly if they are free and belong to a watch or a claim, and accept one for a dispute', () => {
    for (const { path, priceUsd, security, problems } of OPERATIONS) {
      const isOwned = /^\/v1\/(watch|claim)\//.test(path) && priceUsd === null;
      const expected = path === '/v1/dispute' ? 'optional-bearer' : isOwned ? 'bearer' : 'none';
      expect([path, security, problems.includes('unauthorized')]).toEqual([
        path,
        expected,
        expected !== 'none',
      ]);
    }
  });
});

describe.each(OPERATIONS)('$method $path', (operation) => {
  const { parameters, requestBody, response, outputExample, priceUsd, problems } = operation;

  it('has examples that match its schemas', () => {
    expect(response.schema.safeParse(response.example)).toMatchObject({ success: true });
    expect(requestBody === null || requestBody.schema.safeParse(requestBody.example).success).toBe(true);
    for (const { schema, example } of parameters) expect(schema.parse(example)).toBe(example);
  });

  it('names each variable part of its path, and requires other parameters exactly if their schema does', () => {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name)).toEqual(names);
    for (const { in: place, required, schema } of parameters) {
      if (place === 'path') expect(required).toBe(true);
      else expect(required).toBe(!z.object({ value: schema }).safeParse({}).success);
    }
  });

  it('is found by its exact method and path', () => {
    expect(findOperation(operation.method, toExamplePath(operation))).toBe(operation);
    expect(findOperation(operation.method, `${toExamplePath(operation)}/`)).toBeNull();
    expect(findOperation('PUT', toExamplePath(operation))).toBeNull();
  });

  it('has a command whose argument and options are members of the request', () => {
    const { command } = operation;
    if (command === null) return;
    const body = requestBody === null ? {} : z.toJSONSchema(requestBody.schema, { io: 'input' }).properties;
    const known = new Set([...parameters.map(getArgumentName), ...Object.keys(body ?? {})]);
    const members = [command.argument, ...command.options].map(({ member }) => member.split('.')[0]);
    expect(members.filter((member) => member === undefined || !known.has(member))).toEqual([]);
    expect(command.product === null).toBe(priceUsd === null || command.argument.name === 'file');
  });

  it('has a description and tags within the limits of facilitators', () => {
    const { description, summary, tags } = operation;
    expect(description.length).toBeLessThanOrEqual(500);
    expect(tags.length).toBeLessThanOrEqual(5);
    expect([description, summary, ...tags].filter((text) => !PRINTABLE.test(text))).toEqual([]);
  });

  it('lists each problem once, and payment problems only when it is paid', () => {
    expect(new Set(problems).size).toBe(problems.length);
    const paymentProblems = problems.filter(
      (code) => code.startsWith('payment-') || code === 'invalid-payment',
    );
    expect(paymentProblems.length).toBe(priceUsd === null ? 0 : 4);
  });

  it('has an abridged response exactly if it is paid: a short part of the full example', () => {
    expect(outputExample === null).toBe(priceUsd === null);
    for (const [name, value] of Object.entries(outputExample ?? {})) {
      const all = response.example[name];
      expect(value).toEqual(Array.isArray(all) && Array.isArray(value) ? all.slice(0, value.length) : all);
    }
    expect(btoa(JSON.stringify(outputExample)).length).toBeLessThan(800);
  });
});

describe('findOperation', () => {
  it('distinguishes the methods and paths of a watch', () => {
    const watch = `/v1/watch/${WATCH_ID_EXAMPLE}`;
    const findId = (method: string, path: string) => findOperation(method, path)?.id ?? null;
    expect([
      findId('GET', watch),
      findId('PATCH', watch),
      findId('DELETE', watch),
      findId('POST', watch),
      findId('GET', `${watch}/events`),
      findId('POST', `${watch}/renew`),
      findId('GET', `${watch}/renew`),
    ]).toEqual(['getWatch', 'editWatch', 'cancelWatch', null, 'readWatchEvents', 'renewWatch', null]);
  });

  it.each(['/trust/leaderboard', '/trust/stats'])('matches %s with the suffix .json', (path) => {
    expect(findOperation('GET', `${path}.json`)).toBe(findOperation('GET', path));
  });

  it('matches a variable part with a suffix, but no empty part and no page without the suffix', () => {
    expect(findOperation('GET', '/endpoint/api-example-com-abcdefghij.json')?.id).toBe('getEndpointSummary');
    for (const path of [
      '/endpoint/foo',
      '/endpoint/foo.jsonp',
      '/v1/x402-summary.json',
      '/endpoint/foo/bar.json',
      '/endpoint/.json',
      '/schemas//1.0.0.json',
      '/v1/watch/',
    ]) {
      expect([path, findOperation('GET', path)]).toEqual([path, null]);
    }
  });
});
