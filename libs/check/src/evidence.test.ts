import type { ChallengeResponse } from '@touchstone/x402';
import { expect, test } from 'vitest';
import { createEvidenceFinder } from './evidence.ts';
import { createResponse, encodeTerms, ENVELOPE, OPTION, toResult } from './testing/results.ts';

/** Returns the evidence of a failed rule. */
function quoteFault(rule: string, response: ChallengeResponse) {
  const check = toResult(response).challenge.checks.find(({ id }) => id === rule);
  if (check?.result !== 'fail') throw new Error(`${rule} did not fail`);
  return createEvidenceFinder(response)(check);
}

const sendTerms = (envelope: object): ChallengeResponse =>
  createResponse({}, { headers: [['Payment-Required', encodeTerms(envelope)]] });

const HEADER = 'header PAYMENT-REQUIRED';
const V1 = { ...OPTION, network: 'base', maxAmountRequired: 'free', resource: ENVELOPE.resource.url };

test.each<readonly [string, ChallengeResponse, readonly [string, string | null, string]]>([
  ['v2-network-not-v1-name', createResponse({ network: 'base' }), [HEADER, 'accepts[0].network', '"base"']],
  [
    'v2-eip712-domain',
    createResponse({ extra: { name: 'USD Coin', version: 2 } }),
    [HEADER, 'accepts[0].extra.version', '2'],
  ],
  [
    'v2-payto-burn',
    sendTerms({ ...ENVELOPE, accepts: [OPTION, { ...OPTION, payTo: `0x${'0'.repeat(40)}` }] }),
    [HEADER, 'accepts[1].payTo', `"0x${'0'.repeat(40)}"`],
  ],
  [
    'v2-timeout-number',
    createResponse({ maxTimeoutSeconds: undefined }),
    [HEADER, 'accepts[0]', '{"scheme":"exact"'],
  ],
  [
    'v2-resource-url',
    sendTerms({ ...ENVELOPE, resource: { url: '/weather' }, accepts: [OPTION] }),
    [HEADER, 'resource.url', '"/weather"'],
  ],
  ['v2-accepts-nonempty', sendTerms({ ...ENVELOPE, accepts: [] }), [HEADER, 'accepts', '[]']],
  [
    'bazaar-info',
    sendTerms({ ...ENVELOPE, accepts: [OPTION], extensions: { bazaar: { info: 7 } } }),
    [HEADER, 'extensions.bazaar.info', '7'],
  ],
  ['v2-json', createResponse({}, { headers: [['payment-required', btoa('oops')]] }), [HEADER, null, 'oops']],
  [
    'v2-base64-standard',
    createResponse({}, { headers: [['payment-required', '{"a":1}']] }),
    [HEADER, null, '{"a":1}'],
  ],
  [
    'v2-header-name',
    createResponse({}, { headers: [['X-Payment-Required', encodeTerms(ENVELOPE)]] }),
    ['header x-payment-required', null, 'eyJ4'],
  ],
  [
    'http-cache-control',
    createResponse({}, { headers: [...createResponse().headers.slice(0, 1), ['Cache-Control', 'public']] }),
    ['header cache-control', null, 'public'],
  ],
  ['http-status-402', createResponse({}, { status: 404 }), ['status line', null, 'HTTP 404']],
  [
    'v1-max-amount',
    createResponse({}, { headers: [], body: JSON.stringify({ x402Version: 1, accepts: [V1] }) }),
    ['body', 'accepts[0].maxAmountRequired', '"free"'],
  ],
  [
    'mixed-v2-in-body-only',
    createResponse({}, { headers: [], body: JSON.stringify({ ...ENVELOPE, accepts: [OPTION] }) }),
    ['body', null, '{"x402Version":2'],
  ],
])('%s quotes the part that breaks the rule', (rule, response, [place, path, excerpt]) => {
  const evidence = quoteFault(rule, response);
  expect(evidence).toMatchObject({ place, path });
  expect(evidence?.excerpt.slice(0, excerpt.length)).toBe(excerpt);
});

test.each([
  ['bazaar-present', createResponse()],
  ['v2-resource-object', sendTerms({ x402Version: 2, accepts: [OPTION] })],
  ['http-cache-control', sendTerms({ ...ENVELOPE, accepts: [OPTION] })],
] as const)('%s quotes nothing if the part is missing', (rule, response) => {
  expect(quoteFault(rule, response)).toBeNull();
});

test('a quotation shows invisible characters as escapes, and is cut', () => {
  const payTo = `${OPTION.payTo}\u200b`;
  expect(quoteFault('v2-payto-shape', createResponse({ payTo }))?.excerpt).toBe(`"${OPTION.payTo}\\u{200b}"`);
  const long = quoteFault('v2-payto-shape', createResponse({ payTo: `x\u0000\u202e${'y'.repeat(1_000)}` }));
  expect(long?.excerpt).toHaveLength(300);
  expect(long?.excerpt).toMatch(/^"x\\u0000\\u\{202e\}y+…$/);
});
