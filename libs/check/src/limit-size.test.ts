import { checkSchema } from '@touchstone/contract/operations/check/response';
import { expect, test } from 'vitest';
import { createCode, createRepairFacts } from './create-check.ts';
import { createFacts } from './testing/facts.ts';
import { createResponse, encodeTerms, OPTION, toResult } from './testing/results.ts';

/** Response of a hostile seller: many options with many faults and long values. */
function createLongResponse() {
  const long = '\u0000"\\'.repeat(40);
  const accepts = Array.from({ length: 20 }, (_, at) => ({
    ...OPTION,
    scheme: `${long}${at}`,
    network: `${long}:${at}`,
    asset: long,
    payTo: long,
    amount: long,
    maxTimeoutSeconds: -1,
    extra: { name: long, version: long },
  }));
  const resource = {
    url: long,
    description: long,
    mimeType: long,
    serviceName: long,
    tags: long,
    iconUrl: long,
  };
  const extensions = { bazaar: { info: { input: long }, schema: long, routeTemplate: long } };
  const terms = encodeTerms({ x402Version: long, error: [], resource, accepts, extensions });
  const body = JSON.stringify({
    x402Version: 1,
    accepts: accepts.map((entry) => ({ ...entry, resource: long })),
  });
  const headers = Array.from({ length: 40 }, (_, at) => ['x-powered-by', `${long}${at}`] as const);
  return createResponse(
    {},
    {
      url: `https://api.example.com/${'x'.repeat(2_000)}`,
      headers: [['payment-required', terms], ...headers],
      body,
    },
  );
}

test('a check of a hostile response is valid and has at most about 30,000 bytes', () => {
  const response = createLongResponse();
  const facts = createFacts(response);
  const outside = { checkPage: 'https://touchstone.example/check', directories: null, guard: null };
  const code = createCode(createRepairFacts(toResult(response)));
  expect(checkSchema.safeParse({ ...facts, ...outside, code }).error).toBeUndefined();
  expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThan(30_200);
  expect(facts.notes.at(-1)).toContain('leaves out some quotations');
});

test('a usual check is complete', () => {
  const facts = createFacts(createResponse({ network: 'base' }));
  expect(facts.notes).toEqual([]);
  expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThan(10_000);
});
