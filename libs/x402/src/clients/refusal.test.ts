import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readChallenge } from '../challenge/read-challenge.ts';
import { MAX_HEADER_LENGTH } from '../challenge/read-header.ts';
import {
  BASE_USDC,
  dualResponse,
  PAY_TO,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../testing/fixtures.ts';
import { mutateResponse } from '../testing/mutate-response.ts';
import { createReferenceClients, type ReferenceClients } from '../testing/reference-clients.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';
import { startSolanaRpc } from '../testing/solana-rpc.ts';
import type { ChallengeResponse } from '../types.ts';

let clients: ReferenceClients;
let stop: () => Promise<void>;
beforeAll(async () => {
  const rpc = await startSolanaRpc();
  stop = rpc.stop;
  clients = await createReferenceClients(rpc.url);
});
afterAll(() => stop());

/** What both we and the reference clients say, in short: `v1`, `v2`, `both` or `none`. */
async function expectPaid(response: ChallengeResponse, by: string): Promise<void> {
  const expected = { v1: by === 'both' || by === 'v1', v2: by === 'both' || by === 'v2' };
  expect(readChallenge(response).payable).toEqual(expected);
  expect(await clients.pay(response)).toEqual(expected);
}

const OTHER_TOKEN = '0x1111111111111111111111111111111111111111';
const POLYGON_USDC = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';
const SOLANA = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe',
  extra: { feePayer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4' },
};
const DOMAIN = { name: 'USD Coin', version: '2' };

function v2Offers(...accepts: unknown[]): ChallengeResponse {
  return v2Response(v2Envelope({ accepts }));
}

function v1Offers(...accepts: unknown[]): ChallengeResponse {
  return v1Response(v1Envelope({ accepts }));
}

describe('the version 2 client pays', () => {
  test.each<[string, JsonObject]>([
    ['the textbook option', {}],
    ['an asset in small letters', { asset: BASE_USDC.toLowerCase() }],
    ['an address with a wrong checksum', { payTo: PAY_TO.replace('B', 'b') }],
    ['a test network', { network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' }],
    ['permit2 without a domain', { extra: { assetTransferMethod: 'permit2' } }],
    ['an upfront payment', { extra: { ...DOMAIN, paymentFlow: 'upfront' } }],
    ['on Solana', SOLANA],
    ['on Solana with a memo', { ...SOLANA, extra: { ...SOLANA.extra, memo: 'order 5' } }],
    ['a wrong domain, which only the token refuses', { extra: { name: 'USDC', version: '2' } }],
    ['unknown members', { mystery: { deep: [1] } }],
    ['nothing', { amount: '0' }],
    // It validates nothing: the rules find these faults, and a facilitator may refuse what it signs.
    ['an amount that is a number', { amount: 10_000 }],
    ['an amount in hexadecimal', { amount: '0x10' }],
    ['an empty amount', { amount: '' }],
    ['a timeout that is text', { maxTimeoutSeconds: '60' }],
    ['a timeout of zero', { maxTimeoutSeconds: 0 }],
    ['a domain of numbers', { extra: { name: 'USD Coin', version: 2 } }],
  ])('%s', async (_, change) => {
    await expectPaid(v2Offers(v2Option(change)), 'v2');
  });

  test('an option among others it does not know', async () => {
    const others = [v2Option({ scheme: 'deferred' }), v2Option({ network: 'tempo:4217' }), 'nonsense', 5];
    await expectPaid(v2Offers(...others, v2Option()), 'v2');
  });

  test('a token of its table rather than one outside, wherever it stands', async () => {
    await expectPaid(v2Offers(v2Option({ asset: OTHER_TOKEN, extra: {} }), v2Option()), 'v2');
  });

  test('an envelope whose resource it never looks at', async () => {
    await expectPaid(v2Response(v2Envelope({ resource: 'nonsense' })), 'v2');
    await expectPaid(v2Response(v2Envelope({ resource: undefined, error: 5, extensions: null })), 'v2');
  });

  test('a version 1 envelope, also one the version 1 client cannot parse', async () => {
    await expectPaid(v1Offers(v1Option()), 'both');
    await expectPaid(v1Offers(v1Option({ description: undefined, mimeType: undefined })), 'v2');
    await expectPaid(v1Offers(v1Option({ outputSchema: null })), 'v2');
    await expectPaid(
      v1Offers(
        v1Option({
          network: 'monad',
          asset: '0x754704Bc059F8C67012fEd69BC8A327a5aafb603',
          extra: { name: 'USDC', version: '2' },
        }),
      ),
      'v2',
    );
    // The header may hold it, where it does not belong.
    await expectPaid(v2Response(v1Envelope()), 'v2');
  });
});

describe('the version 2 client does not pay', () => {
  test.each<[string, JsonObject]>([
    ['another scheme', { scheme: 'upto' }],
    ['a network by its version 1 name', { network: 'base' }],
    ['a network that is no chain', { network: 'eip155:base' }],
    ['on a network it has no token for', { network: 'eip155:196' }],
    ['a token outside its table', { asset: OTHER_TOKEN }],
    ['a CAIP-19 id', { asset: `eip155:8453/erc20:${BASE_USDC}` }],
    ['an amount with a point', { amount: '0.01' }],
    ['an amount of more than 256 bits', { amount: '9'.repeat(78) }],
    ['a negative amount', { amount: '-1' }],
    ['no amount', { amount: undefined, maxAmountRequired: '10000' }],
    ['a payee that is a role', { payTo: 'merchant' }],
    ['no payee', { payTo: '' }],
    ['an asset that is a symbol', { asset: 'USDC' }],
    ['an asset that is no text', { asset: null }],
    ['a timeout of no whole seconds', { maxTimeoutSeconds: 0.5 }],
    ['no timeout', { maxTimeoutSeconds: undefined }],
    ['no domain', { extra: undefined }],
    ['half a domain', { extra: { name: 'USD Coin' } }],
    ['a flow it does not know', { extra: { ...DOMAIN, paymentFlow: 'barter' } }],
    ['extra that is a list', { extra: ['USD Coin', '2'] }],
    ['on a Solana network it does not know', { ...SOLANA, network: 'solana:mainnet' }],
    ['on Solana without a fee payer', { ...SOLANA, extra: {} }],
    ['a Solana address that is too short', { ...SOLANA, payTo: SOLANA.payTo.slice(1, 33) }],
    ['more than 64 bits on Solana', { ...SOLANA, amount: '18446744073709551616' }],
    ['a memo of more than 256 bytes', { ...SOLANA, extra: { ...SOLANA.extra, memo: 'é'.repeat(129) } }],
  ])('%s', async (_, change) => {
    await expectPaid(v2Offers(v2Option(change)), 'none');
  });

  test('a list with null in it, an empty one, and what is no list', async () => {
    await expectPaid(v2Offers(v2Option(), null), 'none');
    await expectPaid(v2Offers(), 'none');
    await expectPaid(v2Response(v2Envelope({ accepts: { 0: v2Option() } })), 'none');
  });

  test('a second option when it cannot sign the first it chose', async () => {
    await expectPaid(v2Offers(v2Option({ extra: {} }), v2Option()), 'none');
  });

  test('upfront while another option asks for an authorization', async () => {
    const upfront = v2Option({ extra: { ...DOMAIN, paymentFlow: 'upfront' } });
    await expectPaid(v2Offers(upfront, v2Option({ extra: {} })), 'none');
  });

  test('another version', async () => {
    for (const x402Version of ['2', 3, null, undefined]) {
      await expectPaid(v2Response(v2Envelope({ x402Version })), 'none');
    }
  });

  test('an envelope of version 2 in the body, or any with another status', async () => {
    await expectPaid(v1Response(v2Envelope()), 'none');
    await expectPaid(v2Response(v2Envelope(), { status: 200 }), 'none');
  });
});

describe('the version 1 client', () => {
  test('refuses everything over one entry it cannot parse; the version 2 client does not', async () => {
    await expectPaid(v1Offers(v1Option(), v1Option({ network: 'eip155:8453' })), 'v2');
    await expectPaid(v1Offers(v1Option(), v1Option({ mimeType: undefined })), 'v2');
    await expectPaid(v1Offers(v1Option(), v1Option({ scheme: 'upto' })), 'v2');
    await expectPaid(v1Offers(v1Option(), v1Option({ payTo: '' })), 'v2');
    await expectPaid(v1Offers(v1Option(), null), 'none');
  });

  test('pays with a wallet for any chain that is offered', async () => {
    const solana = v1Option({ ...SOLANA, network: 'solana' });
    await expectPaid(v1Offers(solana), 'both');
    await expectPaid(v1Offers(solana, v1Option()), 'both');
    const polygon = v1Option({ network: 'polygon', asset: POLYGON_USDC });
    await expectPaid(v1Offers(v1Option({ asset: 'USDC' }), polygon), 'both');
  });

  test('signs without a domain, which the version 2 client does not', async () => {
    await expectPaid(v1Offers(v1Option({ extra: undefined })), 'v1');
  });

  test('cannot sign for a symbol, or an amount that is no whole number to it', async () => {
    await expectPaid(v1Offers(v1Option({ asset: 'USDC' })), 'none');
    await expectPaid(v1Offers(v1Option({ maxAmountRequired: '1e3' })), 'none');
    await expectPaid(v1Offers(v1Option({ maxAmountRequired: '1.0' })), 'none');
    await expectPaid(v1Offers(v1Option({ maxAmountRequired: '1\u3000' })), 'v2');
  });

  test('reads past a byte order mark', async () => {
    const response = v1Response();
    await expectPaid({ ...response, body: `\ufeff${response.body ?? ''}` }, 'both');
  });

  test('asks for no version', async () => {
    await expectPaid(v1Response(v1Envelope({ x402Version: undefined })), 'v1');
    await expectPaid(v1Response(v1Envelope({ x402Version: 2 })), 'v1');
    await expectPaid(v1Response(v1Envelope({ x402Version: '💸' })), 'none');
  });

  test('looks at no header', async () => {
    await expectPaid(dualResponse(), 'both');
    await expectPaid(dualResponse('nonsense'), 'v1');
    await expectPaid(v2Response(), 'v2');
  });
});

test('what is called payable is what they make a payment for, whatever the faults', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const response = mutateResponse(createSeededRandom(seed));
      // Longer headers than these are not read here, and reach no client over HTTP.
      fc.pre(response.headers.every(([, value]) => value.length <= MAX_HEADER_LENGTH));
      expect(readChallenge(response).payable).toEqual(await clients.pay(response));
    }),
    { numRuns: 3_000, endOnFailure: true },
  );
}, 120_000);
