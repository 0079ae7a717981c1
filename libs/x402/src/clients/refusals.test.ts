import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import {
  encode,
  REQUEST_URL,
  SOLANA,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../testing/fixtures.ts';

const BAD_ADDRESSES = { payTo: 'merchant', asset: 'USDC' };

function refuseV2(...accepts: unknown[]): string | null {
  return readChallenge(v2Response(v2Envelope({ accepts }))).refusals.v2;
}

describe('the version 2 client does not pay', () => {
  test('a list without options', () => {
    expect(refuseV2()).toBe('The list accepts is empty, so there is nothing to pay.');
  });

  test('the option that it selects among several', () => {
    expect(refuseV2(v2Option({ payTo: '' }), v2Option())).toBe(
      'The option that clients select has no usable payTo, so clients cannot sign a payment.',
    );
  });

  test.each([{ ...BAD_ADDRESSES }, { ...SOLANA, ...BAD_ADDRESSES }])('two unusable members: %j', (change) => {
    expect(refuseV2(v2Option(change))).toBe(
      'The payment option has no usable payTo or asset, so clients cannot sign a payment.',
    );
  });

  test('the reason of the client that comes closest to a payment is named', () => {
    expect(refuseV2(v2Option({ network: 'base' }), v2Option({ asset: 'USDC' }))).toContain('asset');
  });
});

describe('clients do not pay a version 1 envelope', () => {
  test.each<[JsonObject, string, string]>([
    [
      { network: 'eip155:8453' },
      'The network is not written as version 1 requires; clients need a name such as base.',
      'accepts[0].network is "eip155:8453"; it must be a version 1 network name such as "base". Version 1 clients reject the whole list.',
    ],
    [
      { network: 'Base' },
      'The network is not written as version 1 requires; clients need a name such as base.',
      'accepts[0].network is "Base"; it must be a version 1 network name such as "base". Version 1 clients reject the whole list.',
    ],
    [
      { network: 'tempo' },
      'No option with the scheme "exact" is on a network of the reference clients, which pay on EVM networks and Solana.',
      'accepts[0].network is "tempo"; it must be a version 1 network name such as "base". Version 1 clients reject the whole list.',
    ],
    [
      { maxAmountRequired: '1e3' },
      'An option has an amount that is not a decimal number, so clients stop with an error.',
      'The payment option has no usable maxAmountRequired, so clients cannot sign a payment.',
    ],
  ])('%j', (change, v2, v1) => {
    const response = v1Response(v1Envelope({ accepts: [v1Option(change)] }));
    expect(readChallenge(response).refusals).toEqual({ v1, v2 });
  });

  test('an entry that is not an object', () => {
    expect(readChallenge(v1Response(v1Envelope({ accepts: [v1Option(), 5] }))).refusals.v1).toBe(
      'accepts[1] is 5; it must be an object. Version 1 clients reject the whole list.',
    );
  });
});

describe('the version 2 client finds no envelope', () => {
  test('in the body', () => {
    expect(readChallenge(v1Response(v2Envelope())).refusals).toEqual({
      v2: 'The version 2 envelope is only in the body; clients read it from the PAYMENT-REQUIRED header.',
      v1: 'The envelope in the body has version 2; version 1 clients cannot read its options.',
    });
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
