import { describe, expect, test } from 'vitest';
import {
  checkOf,
  failures,
  PAY_TO,
  readV1,
  resultOf,
  v1Envelope,
  v1Option,
  v1Response,
  v2Response,
  type Bag,
} from './test-fixtures.ts';
import { readChallenge } from './read-challenge.ts';

/** Version 1 alone always lacks the header; what else fails is what the tests are about. */
function faults(change: Bag): string[] {
  return failures(readV1(change)).filter((id) => id !== 'v2-header-present');
}

describe('an option', () => {
  test.each<[string, Bag, string[]]>([
    ['of the textbook', {}, []],
    ['with an output schema', { outputSchema: { input: { type: 'http', method: 'GET' } } }, []],
    ['with an output schema of null', { outputSchema: null }, []],
    ['of another scheme', { scheme: 'upto' }, ['v1-all-entries-parse', 'v1-scheme-exact']],
    ['on a network nobody knows', { network: '0g-galileo' }, ['v1-all-entries-parse', 'v1-network-enum']],
    [
      'on a network of version 2',
      { network: 'eip155:8453' },
      ['v1-all-entries-parse', 'v1-network-not-caip2'],
    ],
    ['of an amount that is a number', { maxAmountRequired: 5 }, ['v1-all-entries-parse', 'v1-max-amount']],
    ['of an amount with a point', { maxAmountRequired: '0.5' }, ['v1-all-entries-parse', 'v1-max-amount']],
    ['of an empty amount', { maxAmountRequired: '' }, ['v1-max-amount']],
    ['of nothing', { maxAmountRequired: '0' }, ['v1-amount-positive']],
    ['for a relative URL', { resource: '/v1/weather' }, ['v1-all-entries-parse', 'v1-resource-url']],
    ['for another URL', { resource: 'http://example.com' }, ['v1-resource-url']],
    ['without a description', { description: undefined }, ['v1-all-entries-parse', 'v1-description']],
    ['with an empty description', { description: '' }, ['v1-description']],
    ['without a MIME type', { mimeType: undefined }, ['v1-all-entries-parse', 'v1-mimetype']],
    ['with an empty MIME type', { mimeType: '' }, ['v1-mimetype']],
    ['paid to nobody', { payTo: '' }, ['v1-all-entries-parse', 'v1-payto']],
    [
      'paid to a Solana address on EVM',
      { payTo: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe' },
      ['v1-payto'],
    ],
    ['in a symbol', { asset: 'USDC' }, ['v1-asset']],
    [
      'with a timeout in parts of a second',
      { maxTimeoutSeconds: 0.5 },
      ['v1-all-entries-parse', 'v1-timeout'],
    ],
    ['without a domain', { extra: undefined }, ['v1-eip712-domain']],
    [
      'with the domain of the test network',
      { extra: { name: 'USDC', version: '2' } },
      ['v1-eip712-domain-value'],
    ],
  ])('%s', (_, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  test.each<[string, Bag, string]>([
    ['v1-resource-url', { resource: 'http://example.com' }, 'fail warning'],
    ['v1-resource-url', { resource: undefined }, 'fail error'],
    ['v1-description', { description: '' }, 'fail warning'],
    ['v1-mimetype', { mimeType: null }, 'fail error'],
    ['v1-network-enum', { network: 'eip155:8453' }, 'skip'],
    ['v1-eip712-domain', { network: 'solana', extra: undefined }, 'skip'],
    ['v1-eip712-domain-value', { asset: PAY_TO }, 'skip'],
  ])('%s of %o: %s', (id, change, result) => {
    expect(resultOf(readV1(change), id)).toBe(result);
  });
});

describe('the body', () => {
  const read = (envelope: Bag): ReturnType<typeof readChallenge> => readChallenge(v1Response(envelope));

  test('names its version by a number', () => {
    expect(resultOf(read(v1Envelope({ x402Version: '1' })), 'v1-version')).toBe('fail error');
    expect(resultOf(read(v1Envelope({ x402Version: undefined })), 'v1-version')).toBe('fail error');
    expect(read(v1Envelope({ x402Version: undefined })).payable).toEqual({ v1: false, v2: false });
  });

  test('has an error that is text, if any', () => {
    expect(resultOf(read(v1Envelope({ error: undefined })), 'v1-error')).toBe('pass');
    expect(resultOf(read(v1Envelope({ error: null })), 'v1-error')).toBe('fail warning');
  });

  test('offers something', () => {
    for (const accepts of [[], undefined, 'base']) {
      const challenge = read(v1Envelope({ accepts }));
      expect(resultOf(challenge, 'v1-accepts-nonempty')).toBe('fail error');
      expect(resultOf(challenge, 'v1-all-entries-parse')).toBe('skip');
    }
  });

  test('is broken for version 1 clients by one bad entry', () => {
    const challenge = read(v1Envelope({ accepts: [v1Option(), v1Option({ network: 'eip155:137' })] }));
    expect(challenge.payable).toEqual({ v1: false, v2: true });
    expect(challenge.verdict).toBe('errors');
    expect(checkOf(challenge, 'v1-all-entries-parse').message).toContain('1 of 2 options');
  });

  test('that calls itself JSON must be an object when there is no header', () => {
    const broken = v1Response(undefined, { body: '{"x402Version":1,' });
    expect(resultOf(readChallenge(broken), 'v1-body-json')).toBe('fail error');
    expect(
      resultOf(readChallenge({ ...broken, headers: [['content-type', 'text/html']] }), 'v1-body-json'),
    ).toBe('skip');
    expect(resultOf(readChallenge(v2Response(undefined, { body: 'oops' })), 'v1-body-json')).toBe('skip');
  });

  test('that attempts no version 1 is not held to its rules', () => {
    const challenge = readChallenge(v2Response());
    const v1 = challenge.checks.filter(({ id }) => id.startsWith('v1-'));
    expect(v1.length).toBeGreaterThan(15);
    expect(v1.every(({ result }) => result === 'skip')).toBe(true);
  });
});
