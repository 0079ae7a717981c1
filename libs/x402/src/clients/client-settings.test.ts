import { DEFAULT_MAX_AMOUNT_PER_PAYMENT } from '@x402/core/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import {
  BASE_USDC,
  DOMAIN,
  dualResponse,
  EURC,
  getCheck,
  MEGA_USD,
  OTHER_WALLET,
  PAY_TO,
  SCHEME_OPTIONS,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Offer,
  v2Option,
  type JsonObject,
} from '../testing/fixtures.ts';
import { createReferenceClients, type ReferenceClients } from '../testing/reference-clients.ts';
import { startSolanaRpc } from '../testing/solana-rpc.ts';
import type { ChallengeResponse } from '../types.ts';
import { DEFAULT_MAX_USD } from './default-settings.ts';

let clients: ReferenceClients;
let stop: () => Promise<void>;
beforeAll(async () => {
  const rpc = await startSolanaRpc();
  stop = rpc.stop;
  clients = await createReferenceClients(rpc.url);
});
afterAll(() => stop());

const IN_EURC = { asset: EURC, extra: { name: 'EURC', version: '2' } };
const { upto: UPTO, batch: BATCH, capture: CAPTURE, solanaUpto: SOLANA_UPTO } = SCHEME_OPTIONS;
const EXPENSIVE = { amount: '25000000' };

const LIMIT_OF_25 = 'set spendControls.maxAmountPerPayment of @x402/core to at least $25 (default $1)';
const UPTO_CLIENT = 'register UptoEvmScheme of @x402/evm/upto/client for the scheme upto';
const NO_DOMAIN = { extra: {} };
const BURN = { payTo: '0x000000000000000000000000000000000000dEaD' };

function allowEurc(amount: string, network = 'eip155:8453'): string {
  return `add {network: "${network}", asset: "${EURC}", maxAmountPerPayment: "${amount}"} to spendControls.allowedAssets of @x402/core`;
}
const SOME_EURC = allowEurc('10000');
const UNLIMITED_EURC = SOME_EURC.replace(', maxAmountPerPayment: "10000"', '');

test('the default limit is that of the client', () => {
  expect(`$${String(DEFAULT_MAX_USD)}`).toBe(DEFAULT_MAX_AMOUNT_PER_PAYMENT);
});

describe('the version 2 client with default settings', () => {
  test.each<
    [name: string, response: ChallengeResponse, expected: readonly [kinds: string, ...settings: string[]]]
  >([
    ['pays $1', v2Offer({ amount: '1000000' }), ['']],
    ['pays $1 in a token with 18 decimals', v2Offer({ ...MEGA_USD, amount: `1${'0'.repeat(18)}` }), ['']],
    ['pays USDC, offered after EURC', v2Offer(IN_EURC, {}), ['']],
    ['pays exact, offered after upto', v2Offer(UPTO, {}), ['']],
    ['pays $1, offered after $25', v2Offer(EXPENSIVE, {}), ['']],
    ['refuses $1.000001', v2Offer({ amount: '1000001' }), ['amount']],
    ['refuses $25', v2Offer(EXPENSIVE), ['amount', LIMIT_OF_25]],
    [
      'refuses $25 in version 1',
      v1Response(v1Envelope({ accepts: [v1Option({ maxAmountRequired: '25000000' })] })),
      ['amount', LIMIT_OF_25],
    ],
    [
      'refuses $25 on Solana',
      v2Offer({ ...SOLANA_UPTO, scheme: 'exact', ...EXPENSIVE }),
      ['amount', LIMIT_OF_25],
    ],
    ['refuses EURC', v2Offer(IN_EURC), ['token', SOME_EURC]],
    ['refuses $25 in EURC', v2Offer({ ...IN_EURC, ...EXPENSIVE }), ['token', allowEurc('25000000')]],
    [
      'refuses a token on a network without default tokens',
      v2Offer({ ...IN_EURC, network: 'eip155:196' }),
      ['token'],
    ],
    ['refuses upto', v2Offer(UPTO), ['scheme', UPTO_CLIENT]],
    [
      'refuses upto beside exact on an unsupported network',
      v2Offer({ network: 'hedera:mainnet' }, UPTO),
      ['scheme', UPTO_CLIENT],
    ],
    [
      'refuses batch-settlement',
      v2Offer(BATCH),
      [
        'scheme',
        'register BatchSettlementEvmScheme of @x402/evm/batch-settlement/client for the scheme batch-settlement',
      ],
    ],
    [
      'refuses auth-capture',
      v2Offer(CAPTURE),
      [
        'scheme',
        'register AuthCaptureEvmScheme of @x402/evm/auth-capture/client for the scheme auth-capture',
      ],
    ],
    [
      'refuses upto on Solana',
      v2Offer(SOLANA_UPTO),
      ['scheme', 'register UptoSvmScheme of @x402/svm/upto/client for the scheme upto'],
    ],
    [
      'refuses upto for $25',
      v2Offer({ ...UPTO, ...EXPENSIVE }),
      ['amount, scheme', UPTO_CLIENT, LIMIT_OF_25],
    ],
    ['refuses upto in EURC', v2Offer({ ...UPTO, asset: EURC }), ['scheme, token', UPTO_CLIENT, SOME_EURC]],
    [
      'refuses upto without a facilitator, and batch-settlement',
      v2Offer({ ...UPTO, extra: {} }, BATCH),
      ['scheme'],
    ],
    [
      'pays upto, not EURC without a domain',
      v2Offer({ asset: EURC, ...NO_DOMAIN }, UPTO),
      ['scheme', UPTO_CLIENT],
    ],
    [
      'pays upto, not EURC to a burn address',
      v2Offer({ ...IN_EURC, ...BURN }, UPTO),
      ['scheme', UPTO_CLIENT],
    ],
    [
      'pays EURC, not $25 without a domain',
      v2Offer({ ...EXPENSIVE, ...NO_DOMAIN }, IN_EURC),
      ['token', SOME_EURC],
    ],
    ['pays EURC before USDC without a domain', v2Offer(IN_EURC, NO_DOMAIN), ['token', SOME_EURC]],
    ['pays $25, not $30', v2Offer({ amount: '30000000' }, EXPENSIVE), ['amount', LIMIT_OF_25]],
    [
      'pays EURC in version 1',
      v1Response(v1Envelope({ accepts: [v1Option(IN_EURC)] })),
      ['token', allowEurc('10000', 'base')],
    ],
    ['pays a hexadecimal amount of EURC', v2Offer({ ...IN_EURC, amount: '0x10' }), ['token', UNLIMITED_EURC]],
  ])('%s', async (_, response, [kinds, ...settings]) => {
    const challenge = readChallenge(response);
    const found = challenge.clientSettings.v2;
    expect(challenge.settles.v2).toBe(true);
    expect(
      found
        .map(({ kind }) => kind)
        .toSorted()
        .join(', '),
    ).toBe(kinds);
    if (settings.length > 0) expect(found.map(({ setting }) => setting)).toEqual(settings);
    expect((await clients.pay(response)).settings).toContain(kinds);
  });
});

describe('no setting makes a client pay', () => {
  test.each<[name: string, change: JsonObject, reason: string]>([
    [
      'a symbol as asset',
      { asset: 'USDC' },
      'The payment option has no usable asset, so clients cannot sign a payment.',
    ],
    [
      'a network without a chain id',
      { ...IN_EURC, network: 'eip155:base' },
      'The payment option has no usable network, so clients cannot sign a payment.',
    ],
    [
      'a scheme that no client has',
      { scheme: 'deferred' },
      'No option has a scheme that the reference clients support, such as "exact".',
    ],
    [
      'upto without a facilitator',
      { ...UPTO, extra: DOMAIN },
      'The scheme "upto" requires extra.facilitatorAddress, so not even clients of this scheme can pay.',
    ],
    [
      'batch-settlement without an authorizer',
      { ...BATCH, extra: DOMAIN },
      'The scheme "batch-settlement" requires extra.receiverAuthorizer, so not even clients of this scheme can pay.',
    ],
    [
      'batch-settlement to a payTo with a wrong checksum',
      { ...BATCH, payTo: PAY_TO.replace('B', 'b') },
      'The payment option has no usable payTo, so clients cannot sign a payment.',
    ],
    [
      'batch-settlement by another method',
      { ...BATCH, extra: { ...BATCH.extra, assetTransferMethod: 'erc7710' } },
      'The payment option has no usable extra.assetTransferMethod, so clients cannot sign a payment.',
    ],
    [
      'auth-capture without a domain',
      { ...CAPTURE, extra: { ...CAPTURE.extra, assetTransferMethod: 'permit2', name: '' } },
      'The payment option has no usable extra.name, so clients cannot sign a payment.',
    ],
    [
      'auth-capture of too large an amount',
      { ...CAPTURE, asset: EURC, amount: String(2n ** 120n) },
      'The payment option has no usable amount, so clients cannot sign a payment.',
    ],
    [
      'upto on Solana without a delay',
      { ...SOLANA_UPTO, extra: { ...SOLANA_UPTO.extra, withdrawDelay: 0 } },
      'The scheme "upto" requires extra.withdrawDelay, so not even clients of this scheme can pay.',
    ],
  ])('%s', async (_, change, reason) => {
    const response = v2Offer(change);
    expect(readChallenge(response)).toMatchObject({
      refusals: { v2: reason },
      clientSettings: { v2: [] },
      neededSettings: [],
      verdict: 'unpayable',
    });
    expect((await clients.pay(response)).payable.v2).toBe(false);
  });

  test('in a false USDC', () => {
    const challenge = readChallenge(v2Offer({ asset: OTHER_WALLET }));
    expect(challenge).toMatchObject({ payable: { v2: true }, verdict: 'unpayable', neededSettings: [] });
    expect(challenge.settlementFailures.v2).toBe(
      `The token "${OTHER_WALLET}" is named USDC but is not the USDC of "eip155:8453".`,
    );
  });
});

test.each(['100000', '100001'])(
  'the default settings of the version 1 client and %s atomic units',
  async (amount) => {
    const response = v1Response(v1Envelope({ accepts: [v1Option({ maxAmountRequired: amount })] }));
    const isPaid = await clients.paysV1ByDefault(response);
    expect(isPaid).toBe(amount === '100000');
    expect(readChallenge(response).clientSettings.v1).toEqual(
      isPaid
        ? []
        : [
            {
              kind: 'amount',
              setting: `set maxValue of x402-fetch to at least ${amount} atomic units (default 100000)`,
            },
          ],
    );
  },
);

test.each<[name: string, response: ChallengeResponse, expected: string]>([
  ['within the limits', v2Offer({}), 'pass'],
  [
    'over the limit of version 1 clients only',
    dualResponse(
      v2Envelope({ accepts: [v2Option({ amount: '500000' })] }),
      v1Envelope({ accepts: [v1Option({ maxAmountRequired: '500000' })] }),
    ),
    'pass',
  ],
  ['over the limit', v2Offer(EXPENSIVE), 'pass amount'],
  ['in EURC', v2Offer(IN_EURC), 'warnings token'],
  ['in the scheme upto', v2Offer(UPTO), 'warnings scheme'],
  [
    'in a token that version 1 clients pay',
    dualResponse(v2Envelope({ accepts: [v2Option(IN_EURC)] }), v1Envelope({ accepts: [v1Option(IN_EURC)] })),
    'pass',
  ],
  [
    'in EURC, or over the limit of version 1 clients',
    dualResponse(
      v2Envelope({ accepts: [v2Option(IN_EURC)] }),
      v1Envelope({ accepts: [v1Option({ maxAmountRequired: '500000' })] }),
    ),
    'warnings amount',
  ],
])('the verdict on a challenge %s', (_, response, expected) => {
  const { verdict, neededSettings } = readChallenge(response);
  expect([verdict, ...neededSettings.map(({ kind }) => kind)].join(' ')).toBe(expected);
});

test.each([
  [
    { ...UPTO, asset: BASE_USDC },
    `Clients pay this after a change of their default settings. The buyer must ${UPTO_CLIENT} and ${LIMIT_OF_25}.`,
  ],
  [{}, `The price is over the default limit of clients: ${LIMIT_OF_25}.`],
])('the finding names every setting (%#)', (change, message) => {
  const challenge = readChallenge(v2Offer({ ...change, ...EXPENSIVE }));
  expect(getCheck(challenge, 'client-settings').message).toBe(message);
});

test('a payment that fails with the default settings is not replaced by one with other settings', () => {
  const challenge = readChallenge(v2Offer(IN_EURC, BURN));
  expect(challenge).toMatchObject({ verdict: 'unpayable', neededSettings: [] });
});
