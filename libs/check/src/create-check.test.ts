import { checkSchema } from '@touchstone/contract/operations/check/response';
import { STACKS, type Stack } from '@touchstone/x402';
import { expect, test } from 'vitest';
import { createCode, createRepairFacts } from './create-check.ts';
import { createFacts } from './testing/facts.ts';
import { createResponse, encodeTerms, ENVELOPE, OPTION, toResult } from './testing/results.ts';

const OUTSIDE = { checkPage: 'https://touchstone.example/check', directories: null, guard: null, code: null };

test('the facts of a check are valid, with the most serious fault first', () => {
  const facts = createFacts(createResponse({ network: 'base', payTo: OPTION.asset }));
  expect(checkSchema.safeParse({ ...facts, ...OUTSIDE }).error).toBeUndefined();
  expect(facts).toMatchObject({
    ...{ outcome: 'refused', checkedAt: '2026-11-27T00:00:00.000Z', verdict: 'unpayable' },
    clients: [
      { version: 2, network: 'eip155:8453', signs: false },
      { version: 1, network: null },
    ],
    timingMs: { resolve: 1.3, transfer: null, total: 90 },
    tls: { protocol: 'TLSv1.3' },
    response: { terms: expect.stringContaining('"accepts"') as string, body: '{}' },
  });
  const severities = facts.faults.map(({ severity }) => severity);
  expect(severities).toEqual([...severities].sort());
  expect(facts.faults[0]?.evidence?.path).toMatch(/^accepts\[0\]\./);
});

test('quotes no page without payment terms, so that nobody reads other sites with a check', () => {
  const headers = [
    ['content-type', 'text/html'],
    ['server', 'internal/1'],
  ] as const;
  const quote = (status: number) =>
    createFacts(createResponse({}, { status, headers, body: 'Balance: 12' })).response;
  expect(quote(200)).toMatchObject({ headers: [{ name: 'content-type', value: 'text/html' }], body: null });
  expect(quote(402)).toMatchObject({
    headers: [{ name: 'content-type' }, { name: 'server' }],
    body: 'Balance: 12',
  });
});

test('compares the sizes of a response with known limits', () => {
  const terms = encodeTerms({
    ...ENVELOPE,
    resource: { ...ENVELOPE.resource, description: 'x'.repeat(501) },
    accepts: [OPTION],
  });
  const { limits } = createFacts(
    createResponse(
      {},
      {
        headers: [
          ['payment-required', terms],
          ['x-padding', 'y'.repeat(8_000)],
        ],
      },
    ),
  );
  expect(limits.map(({ subject, isExceeded }) => [subject, isExceeded])).toEqual([
    ['Response headers, for nginx', true],
    ['Response headers, for Node.js', false],
    ['resource.description, for the CDP facilitator', true],
  ]);
});

test('decodes the header EXTENSION-RESPONSES', () => {
  const header = ['Extension-Responses', btoa('{"bazaar":{"status":"rejected"}}')] as const;
  const response = createResponse();
  const { extensionResponses } = createFacts({ ...response, headers: [...response.headers, header] });
  expect(extensionResponses).toBe('{"bazaar":{"status":"rejected"}}');
});

test('the code is that of the chosen stack, else of the recognized stack, else of Express', () => {
  const broken = createResponse({ network: 'base' });
  const getStack = (headers: readonly (readonly [string, string])[], stack?: Stack) => {
    const repair = createRepairFacts(toResult({ ...broken, headers: [...broken.headers, ...headers] }));
    const code = createCode(repair, stack);
    return [code?.stack, code?.isRecognized];
  };
  expect(getStack([['server', 'uvicorn']], 'go')).toEqual(['go', false]);
  expect(getStack([['server', 'uvicorn']])).toEqual(['fastapi', true]);
  expect(getStack([])).toEqual(['express', false]);
  const repair = createRepairFacts(toResult(broken));
  for (const stack of Object.keys(STACKS) as Stack[])
    expect(checkSchema.shape.code.safeParse(createCode(repair, stack))).toMatchObject({ success: true });
});

test('there is no code for an endpoint that clients pay', () => {
  expect(createCode(createRepairFacts(toResult(createResponse())))).toBeNull();
});
