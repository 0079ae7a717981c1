import { describe, expect, test } from 'vitest';
import { readChallenge } from '../challenge/read-challenge.ts';
import {
  encode,
  REQUEST_URL,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../testing/fixtures.ts';

const OTHER_TOKEN = '0x1111111111111111111111111111111111111111';
const DOMAIN = { name: 'USD Coin', version: '2' };
const SOLANA = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe',
  extra: { feePayer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4' },
};

function refuseV2(...accepts: unknown[]): string | null {
  return readChallenge(v2Response(v2Envelope({ accepts }))).refusals.v2;
}

describe('the version 2 client does not pay', () => {
  test.each<[JsonObject, string]>([
    [{ payTo: '' }, 'The payment option has no usable payTo, so clients cannot sign a payment.'],
    [{ amount: '0.01' }, 'The payment option has no usable amount, so clients cannot sign a payment.'],
    [
      { maxTimeoutSeconds: undefined },
      'The payment option has no usable maxTimeoutSeconds, so clients cannot sign a payment.',
    ],
    [
      { extra: undefined },
      'The payment option has no usable extra.name or extra.version, so clients cannot sign a payment.',
    ],
    [
      { network: ['eip155:8453'] },
      'The payment option has no usable network, so clients cannot sign a payment.',
    ],
    [
      { ...SOLANA, extra: {} },
      'The payment option has no usable extra.feePayer, so clients cannot sign a payment.',
    ],
    [
      { ...SOLANA, extra: { ...SOLANA.extra, memo: 'a'.repeat(300) } },
      'The payment option has an invalid extra.memo, so clients cannot sign a payment.',
    ],
    [{ scheme: 'upto' }, 'No option has the scheme "exact", the only one that clients pay by default.'],
    [
      { network: 'tempo:4217' },
      'No option with the scheme "exact" is on a network that x402 clients support.',
    ],
    [
      { network: 'base' },
      'The network has a version 1 name; version 2 clients need a CAIP-2 id such as eip155:8453.',
    ],
    [
      { extra: { ...DOMAIN, paymentFlow: 'barter' } },
      'The extra.paymentFlow of the option is unknown to x402 clients.',
    ],
    [{ asset: null }, 'An option has an asset that is not text, so clients stop with an error.'],
    [
      { ...SOLANA, network: 'solana:mainnet' },
      'An option names a Solana network that clients do not know, so they stop with an error.',
    ],
    [{ asset: OTHER_TOKEN }, 'No option is in a token that x402 clients accept by default, such as USDC.'],
  ])('%j', (change, reason) => {
    expect(refuseV2(v2Option(change))).toBe(reason);
  });

  test('the option that it selects among several', () => {
    expect(refuseV2(v2Option({ payTo: '' }), v2Option())).toBe(
      'The option that clients select has no usable payTo, so clients cannot sign a payment.',
    );
  });

  test('the reason of the client that comes closest to a payment is named', () => {
    expect(refuseV2(v2Option({ network: 'base' }), v2Option({ asset: OTHER_TOKEN }))).toContain('token');
  });

  test('a list without options', () => {
    expect(refuseV2()).toBe('The list accepts is empty, so there is nothing to pay.');
  });
});

describe('clients do not pay a version 1 envelope', () => {
  test.each<[JsonObject, string, string]>([
    [
      { network: 'eip155:8453' },
      'The network is not written as version 1 requires; clients need a name such as base.',
      'Entry 1 of accepts has no valid network, so version 1 clients reject the whole list.',
    ],
    [
      { network: 'Base' },
      'The network is not written as version 1 requires; clients need a name such as base.',
      'Entry 1 of accepts has no valid network, so version 1 clients reject the whole list.',
    ],
    [
      { network: 'tempo' },
      'No option with the scheme "exact" is on a network that x402 clients support.',
      'Entry 1 of accepts has no valid network, so version 1 clients reject the whole list.',
    ],
    [
      { maxAmountRequired: '1e3' },
      'The payment option has no usable maxAmountRequired, so clients cannot sign a payment.',
      'The payment option has no usable maxAmountRequired, so clients cannot sign a payment.',
    ],
  ])('%j', (change, v2, v1) => {
    const response = v1Response(v1Envelope({ accepts: [v1Option(change)] }));
    expect(readChallenge(response).refusals).toEqual({ v1, v2 });
  });

  test('an entry that is not an object', () => {
    expect(readChallenge(v1Response(v1Envelope({ accepts: [v1Option(), 5] }))).refusals.v1).toBe(
      'Entry 2 of accepts is not an object, so version 1 clients reject the whole list.',
    );
  });
});

describe('the version 2 client finds no envelope', () => {
  test('in the body', () => {
    expect(readChallenge(v1Response(v2Envelope())).refusals.v2).toBe(
      'The version 2 envelope is only in the body; clients read it from the PAYMENT-REQUIRED header.',
    );
  });

  test.each([
    [
      'X-Payment-Required',
      'The envelope is in the header x-payment-required; clients read PAYMENT-REQUIRED.',
    ],
    ['X-Unknown', 'There is no PAYMENT-REQUIRED header, and no version 1 envelope in the body.'],
  ])('in the header %s', (name, reason) => {
    const headers: [string, string][] = [[name, encode(v2Envelope())]];
    expect(readChallenge(v2Response(undefined, { headers })).refusals.v2).toBe(reason);
  });

  test('in a misnamed header without an envelope', () => {
    const headers: [string, string][] = [['X-Payment', 'required']];
    expect(readChallenge({ url: REQUEST_URL, status: 402, headers, body: null }).refusals.v2).toBe(
      'There is no PAYMENT-REQUIRED header, and no version 1 envelope in the body.',
    );
  });
});
