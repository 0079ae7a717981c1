import { x402Client, x402HTTPClient } from '@x402/core/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BASE_USDC,
  encode,
  PAY_TO,
  v1Envelope,
  v1Option,
  v2Envelope,
  v2Option,
  type Bag,
} from './test-fixtures.ts';
import { openEnvelope } from './envelope.ts';
import { isPayableByV1Client, isPayableByV2Client } from './payable.ts';
import { findToken } from './tokens.ts';

function v2Pays(...accepts: unknown[]): boolean {
  const envelope = openEnvelope(v2Envelope({ accepts }));
  return envelope !== null && isPayableByV2Client(envelope);
}

function payers(envelope: Bag): { v1: boolean; v2: boolean } {
  const opened = openEnvelope(envelope);
  if (opened === null) throw new Error('The fixture is no object');
  return { v1: isPayableByV1Client(opened), v2: isPayableByV2Client(opened) };
}

function v1Pays(...accepts: unknown[]): { v1: boolean; v2: boolean } {
  return payers(v1Envelope({ accepts }));
}

const OTHER_TOKEN = '0x1111111111111111111111111111111111111111';
const SOLANA = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe',
};

describe('the version 2 client pays', () => {
  test.each<[string, Bag]>([
    ['the textbook option', {}],
    ['an asset in small letters', { asset: BASE_USDC.toLowerCase() }],
    ['an address with a wrong checksum', { payTo: PAY_TO.replace('B', 'b') }],
    ['a test network', { network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' }],
    ['a token outside its table, which buyers may allow', { asset: OTHER_TOKEN }],
    ['a network of no name', { network: 'eip155:196' }],
    ['permit2 without a domain', { extra: { assetTransferMethod: 'permit2' } }],
    ['an upfront payment', { extra: { name: 'USD Coin', version: '2', paymentFlow: 'upfront' } }],
    ['unknown members', { mystery: { deep: [1] } }],
  ])('%s', (_, change) => {
    expect(v2Pays(v2Option(change))).toBe(true);
  });

  test('an option among others it does not know', () => {
    expect(
      v2Pays(
        v2Option({ scheme: 'deferred' }),
        v2Option(SOLANA),
        v2Option({ network: 'tempo:4217' }),
        v2Option(),
      ),
    ).toBe(true);
  });

  test('a resource it never looks at', () => {
    expect(payers(v2Envelope({ resource: 'nonsense' })).v2).toBe(true);
  });

  test('a version 1 envelope, also one that says nothing about the resource', () => {
    expect(v1Pays(v1Option())).toEqual({ v1: true, v2: true });
    expect(v1Pays(v1Option({ description: undefined, mimeType: undefined }))).toEqual({
      v1: false,
      v2: true,
    });
    expect(v1Pays(v1Option({ network: 'monad' }))).toEqual({ v1: false, v2: true });
  });
});

describe('the version 2 client does not pay', () => {
  test.each<[string, Bag]>([
    ['another scheme', { scheme: 'upto' }],
    ['a network by its version 1 name', { network: 'base' }],
    ['a network that is no chain', { network: 'eip155:base' }],
    ['an option on Solana, for want of an EVM one', SOLANA],
    ['an amount with a point', { amount: '0.01' }],
    ['an amount that is a number', { amount: 10_000 }],
    ['an amount of more than 256 bits', { amount: '9'.repeat(78) }],
    ['no amount', { amount: undefined, maxAmountRequired: '10000' }],
    ['a payee that is a role', { payTo: 'merchant' }],
    ['no payee', { payTo: '' }],
    ['an asset that is a symbol', { asset: 'USDC' }],
    ['an asset that is no text', { asset: null }],
    ['a timeout that is text', { maxTimeoutSeconds: '60' }],
    ['a timeout of no whole seconds', { maxTimeoutSeconds: 0.5 }],
    ['a timeout of zero', { maxTimeoutSeconds: 0 }],
    ['no domain', { extra: undefined }],
    ['half a domain', { extra: { name: 'USD Coin' } }],
    ['a domain that is no text', { extra: { name: 'USD Coin', version: 2 } }],
    ['a flow it does not know', { extra: { name: 'USD Coin', version: '2', paymentFlow: 'barter' } }],
    ['extra that is a list', { extra: ['USD Coin', '2'] }],
  ])('%s', (_, change) => {
    expect(v2Pays(v2Option(change))).toBe(false);
  });

  test('a list with something that is no object', () => {
    expect(v2Pays(v2Option(), null)).toBe(false);
    expect(v2Pays()).toBe(false);
  });

  test('a second option when it cannot sign the first it chose', () => {
    expect(v2Pays(v2Option({ extra: {} }), v2Option())).toBe(false);
    // A token of its table comes before one outside, wherever it stands.
    expect(v2Pays(v2Option({ asset: OTHER_TOKEN, extra: {} }), v2Option())).toBe(true);
  });

  test('upfront while another option asks for an authorization', () => {
    const upfront = v2Option({ extra: { paymentFlow: 'upfront' } });
    expect(v2Pays(upfront, v2Option())).toBe(true);
    expect(v2Pays(upfront, v2Option({ extra: {} }))).toBe(false);
  });

  test('another version', () => {
    for (const x402Version of ['2', 3, null, undefined])
      expect(payers(v2Envelope({ x402Version })).v2).toBe(false);
  });
});

describe('the version 1 client', () => {
  test('refuses everything over one entry it cannot parse; the version 2 client does not', () => {
    expect(v1Pays(v1Option(), v1Option({ network: 'eip155:8453' }))).toEqual({ v1: false, v2: true });
    expect(v1Pays(v1Option(), v1Option({ mimeType: undefined }))).toEqual({ v1: false, v2: true });
    expect(v1Pays(v1Option(), v1Option({ scheme: 'upto' }))).toEqual({ v1: false, v2: true });
    expect(v1Pays(v1Option(), v1Option({ payTo: '' }))).toEqual({ v1: false, v2: true });
    expect(v1Pays(v1Option(), null)).toEqual({ v1: false, v2: false });
  });

  test('needs an option on EVM that can be signed', () => {
    expect(v1Pays(v1Option({ ...SOLANA, network: 'solana' }))).toEqual({ v1: false, v2: false });
    expect(v1Pays(v1Option({ ...SOLANA, network: 'solana' }), v1Option())).toEqual({ v1: true, v2: true });
    expect(v1Pays(v1Option({ extra: undefined }))).toEqual({ v1: false, v2: false });
    expect(v1Pays(v1Option({ asset: 'USDC' }))).toEqual({ v1: false, v2: false });
    expect(v1Pays(v1Option({ maxAmountRequired: '1e3' }))).toEqual({ v1: false, v2: false });
  });

  test('takes no envelope of version 2', () => {
    expect(payers(v2Envelope()).v1).toBe(false);
  });
});

/** Options like the textbook one, with a member or two gone wrong. */
const bentOption = fc
  .record(
    {
      scheme: fc.constantFrom('exact', 'upto'),
      network: fc.constantFrom('eip155:8453', 'eip155:84532', 'eip155:196', 'base', 'solana:5eykt'),
      asset: fc.constantFrom(BASE_USDC, OTHER_TOKEN),
      extra: fc.constantFrom(
        {},
        undefined,
        { name: 'USD Coin', version: '2' },
        { name: 'USD Coin', version: '2', paymentFlow: 'authorization' },
        { paymentFlow: 'upfront' },
        { paymentFlow: 'barter' },
      ),
    },
    { requiredKeys: [] },
  )
  .map((change) => v2Option(change));

test('the version 2 client agrees, option by option, on which one it would take', async () => {
  // The reference client with a scheme that signs nothing but refuses a missing domain, as the EVM scheme does.
  const client = new x402Client().setSpendControls({ maxAmountPerPayment: false });
  client.register('eip155:*', {
    scheme: 'exact',
    findDefaultAsset: (asset, network) => {
      const token = findToken(network, asset);
      return token?.clientDefault === true
        ? { ...token, ...(token.domain ?? { name: '', version: '' }) }
        : undefined;
    },
    createPaymentPayload: (x402Version, { extra }) =>
      extra['name'] === undefined
        ? Promise.reject(new Error('no domain'))
        : Promise.resolve({ x402Version, payload: {} }),
  });
  const http = new x402HTTPClient(client);
  const signs = async (accepts: Bag[]): Promise<boolean> => {
    try {
      const header = encode(v2Envelope({ accepts }));
      await http.createPaymentPayload(http.getPaymentRequiredResponse(() => header));
      return true;
    } catch {
      return false;
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(bentOption, { maxLength: 4 }), async (accepts) => {
      client.setSpendControls({ maxAmountPerPayment: false });
      const byTable = await signs(accepts);
      client.setSpendControls({ maxAmountPerPayment: false, allowedAssets: true });
      expect(v2Pays(...accepts)).toBe(byTable || (await signs(accepts)));
    }),
    { numRuns: 300 },
  );
});
