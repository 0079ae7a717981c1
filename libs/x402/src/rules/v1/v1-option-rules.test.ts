import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import { V1_OPTION_RULES } from './v1-option-rules.ts';
import {
  BASE_USDC,
  getCheck,
  dualResponse,
  listFailures,
  PAY_TO,
  readV1,
  getResult,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  type JsonObject,
} from '../../testing/fixtures.ts';

const ids = new Set([...V1_OPTION_RULES.map(({ id }) => id), 'v1-all-entries-parse']);
const WALLET = 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe';
const SOLANA = {
  network: 'solana',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: WALLET,
  extra: { feePayer: WALLET },
};
const SCHEMA = { input: { type: 'http', method: 'GET' } };

/** Applies the given changes to a correct option, and returns the ids of the version 1 option rules that it fails. */
function faults(change: JsonObject): string[] {
  return listFailures(readV1({ outputSchema: SCHEMA, ...change })).filter((id) => ids.has(id));
}

describe('an option', () => {
  test.each<[string, JsonObject, string[]]>([
    ['that is correct', {}, []],
    ['on Solana', SOLANA, []],
    ['without an output schema', { outputSchema: undefined }, ['v1-output-schema']],
    ['with another scheme', { scheme: 'upto' }, ['v1-all-entries-parse', 'v1-scheme-exact']],
    ['on an unknown network', { network: '0g-galileo' }, ['v1-all-entries-parse', 'v1-network-enum']],
    [
      'on a network that only other clients support',
      { network: 'monad' },
      ['v1-all-entries-parse', 'v1-network-enum'],
    ],
    ['on no network', { network: null }, ['v1-all-entries-parse', 'v1-network-enum']],
    [
      'on a network of version 2',
      { network: 'eip155:8453' },
      ['v1-all-entries-parse', 'v1-network-not-caip2'],
    ],
    ['with a numeric amount', { maxAmountRequired: 5 }, ['v1-all-entries-parse', 'v1-max-amount']],
    ['with a decimal amount', { maxAmountRequired: '0.5' }, ['v1-all-entries-parse', 'v1-max-amount']],
    ['with an empty amount', { maxAmountRequired: '' }, ['v1-max-amount']],
    ['with an amount of zero', { maxAmountRequired: '0' }, ['v1-amount-positive']],
    ['for a relative URL', { resource: '/v1/weather' }, ['v1-all-entries-parse', 'v1-resource-url']],
    ['for another URL', { resource: 'http://example.com' }, ['v1-resource-url']],
    ['without a description', { description: undefined }, ['v1-all-entries-parse', 'v1-description']],
    ['with an empty description', { description: ' ' }, ['v1-description']],
    ['without a MIME type', { mimeType: undefined }, ['v1-all-entries-parse', 'v1-mimetype']],
    ['with an empty MIME type', { mimeType: '' }, ['v1-mimetype']],
    ['without a payee', { payTo: '' }, ['v1-all-entries-parse', 'v1-payto']],
    ['paid to a Solana address on EVM', { payTo: WALLET }, ['v1-payto']],
    ['paid to an EVM address on Solana', { ...SOLANA, payTo: PAY_TO }, ['v1-payto']],
    ['paid to the zero address', { payTo: `0x${'0'.repeat(40)}` }, ['v1-payto']],
    ['paid to its token', { payTo: BASE_USDC.toLowerCase() }, ['v1-payto']],
    ['with a symbol as asset', { asset: 'USDC' }, ['v1-asset']],
    ['without an asset', { asset: '' }, ['v1-all-entries-parse', 'v1-asset']],
    ['with a CAIP-19 id as asset', { asset: `eip155:8453/erc20:${BASE_USDC}` }, ['v1-asset']],
    ['with an EVM token on Solana', { ...SOLANA, asset: BASE_USDC }, ['v1-asset']],
    ['with a fractional timeout', { maxTimeoutSeconds: 0.5 }, ['v1-all-entries-parse', 'v1-timeout']],
    ['with a negative timeout', { maxTimeoutSeconds: -60 }, ['v1-timeout']],
    ['with a string timeout', { maxTimeoutSeconds: '60' }, ['v1-all-entries-parse', 'v1-timeout']],
    ['without a domain', { extra: undefined }, ['v1-eip712-domain']],
    [
      'with the domain of the test network',
      { extra: { name: 'USDC', version: '2' } },
      ['v1-eip712-domain-value'],
    ],
  ])('%s', (_, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  test.each<[string, JsonObject, string]>([
    ['v1-resource-url', { resource: 'http://example.com' }, 'fail warning'],
    ['v1-resource-url', { resource: undefined }, 'fail error'],
    ['v1-description', { description: '' }, 'fail warning'],
    ['v1-description', { description: 7 }, 'fail error'],
    ['v1-mimetype', { mimeType: null }, 'fail error'],
    ['v1-mimetype', { mimeType: '' }, 'fail warning'],
    ['v1-network-enum', { network: 'eip155:8453' }, 'skip'],
    ['v1-network-enum', { network: 'Base' }, 'fail error'],
    ['v1-payto', { network: 'nowhere' }, 'pass'],
    ['v1-payto', { network: 'nowhere', payTo: 'merchant' }, 'fail error'],
    ['v1-asset', { network: 'nowhere' }, 'pass'],
    ['v1-asset', { network: 'nowhere', asset: 'USDC' }, 'fail error'],
    ['v1-asset', { network: 7, asset: 'USDC' }, 'fail error'],
    ['v1-eip712-domain', { ...SOLANA, extra: undefined }, 'skip'],
    ['v1-eip712-domain', { scheme: 'upto' }, 'skip'],
    ['v1-eip712-domain', { network: 'eip155:8453', extra: {} }, 'fail error'],
    ['v1-eip712-domain-value', { asset: PAY_TO }, 'skip'],
    ['v1-eip712-domain-value', SOLANA, 'skip'],
    ['v1-output-schema', { outputSchema: null }, 'fail warning'],
    ['v1-output-schema', { outputSchema: [] }, 'fail warning'],
    ['v1-output-schema', { outputSchema: {} }, 'fail warning'],
    ['v1-output-schema', { outputSchema: { input: null } }, 'fail warning'],
    ['v1-output-schema', { outputSchema: { input: ['GET'] } }, 'fail warning'],
    ['v1-output-schema', { outputSchema: { input: {} } }, 'pass'],
    ['v1-output-schema', { outputSchema: { input: { discoverable: true } } }, 'pass'],
    ['v1-output-schema', { outputSchema: { input: { discoverable: false } } }, 'fail info'],
  ])('%s of %o: %s', (id, change, result) => {
    expect(getResult(readV1(change), id)).toBe(result);
  });

  test('with an http URL gets a warning when the request used the same URL', () => {
    const url = 'http://api.example.com/v1/weather';
    const accepts = [v1Option({ resource: url })];
    const challenge = readChallenge(v1Response(v1Envelope({ accepts }), { url }));
    expect(getResult(challenge, 'v1-resource-url')).toBe('fail warning');
    expect(getCheck(challenge, 'v1-resource-url')).toMatchObject({ axis: 'hygiene' });
    expect(getCheck(challenge, 'v1-resource-url').message).toContain('must use https');
  });

  test('without an input gets a message that names the missing members', () => {
    const { message } = getCheck(readV1({ outputSchema: { output: {} } }), 'v1-output-schema');
    expect(message).toMatch(/^outputSchema\.input is (undefined|missing); .* type http, the method/);
  });

  test('without a domain gets a message that the token contract rejects the signature', () => {
    const { message } = getCheck(readV1({ extra: {} }), 'v1-eip712-domain');
    expect(message).toContain('sign without them, and the token contract rejects');
  });

  test('with a version 2 header needs no output schema', () => {
    expect(getResult(readChallenge(dualResponse()), 'v1-output-schema')).toBe('skip');
    expect(getResult(readChallenge(dualResponse(v2Envelope({ accepts: [] }))), 'v1-output-schema')).toBe(
      'skip',
    );
  });
});
