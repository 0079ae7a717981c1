import type { PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm';
import fc from 'fast-check';
import { concat, getAddress, numberToHex, parseSignature, serializeErc6492Signature, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readAuthorization, type Authorization } from '../request/read-payment.ts';
import { findSigner } from './check-signature.ts';

const terms: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '5000',
  payTo: getAddress(`0x${'a2'.repeat(20)}`),
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
};
const createHex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((raw): Hex => `0x${Buffer.from(raw).toString('hex')}`);
/** Private key. Its first byte is 0x01, so the key is smaller than the order of the curve. */
const key = createHex(31).map((hex): Hex => `0x01${hex.slice(2)}`);
const signatureSchema = z.object({ signature: z.string() });
/** Order of the curve secp256k1. */
const CURVE_ORDER = 2n ** 256n - 0x14551231950b75fc4402da1732fc9bebfn;

/** Signs the terms with the standard x402 client. */
const sign = async (privateKey: Hex, signed: PaymentRequirements) => {
  const { payload } = await new ExactEvmScheme(privateKeyToAccount(privateKey)).createPaymentPayload(
    2,
    signed,
  );
  const authorization = readAuthorization({ payload });
  if (authorization === null) throw new Error('the client signed no EIP-3009 authorization');
  return { authorization, signature: signatureSchema.parse(payload).signature, terms: signed };
};

const flipBit = (hex: string, bit: number): Hex => {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return `0x${bytes.toString('hex')}`;
};

const change: fc.Arbitrary<(signed: Authorization) => Authorization> = fc.oneof(
  fc.constantFrom('amount', 'validAfter', 'validBefore').chain((name) =>
    fc.bigInt({ min: 1n, max: 2n ** 64n }).map((delta) => (signed: Authorization) => ({
      ...signed,
      [name]: signed[name as 'amount'] + delta,
    })),
  ),
  fc.constantFrom('payer', 'payTo').chain((name) =>
    fc.nat(159).map((bit) => (signed: Authorization) => ({
      ...signed,
      [name]: flipBit(signed[name as 'payer'], bit),
    })),
  ),
  fc.nat(255).map((bit) => (signed: Authorization) => ({ ...signed, nonce: flipBit(signed.nonce, bit) })),
);

test('a payment that the key of its payer signed is recognized, for any amount and recipient', async () => {
  await fc.assert(
    fc.asyncProperty(
      key,
      createHex(20),
      fc.bigInt({ min: 1n, max: 2n ** 128n }),
      async (payer, payTo, amount) => {
        const signed = await sign(payer, { ...terms, payTo: getAddress(payTo), amount: amount.toString() });
        expect(findSigner(signed)).toBe('payer');
        expect(findSigner({ ...signed, signature: signed.signature.toUpperCase().replace('X', 'x') })).toBe(
          'payer',
        );
      },
    ),
    { numRuns: 20 },
  );
});

test('a changed value, signature or token is not recognized', async () => {
  await fc.assert(
    fc.asyncProperty(key, change, fc.nat(8 * 64 - 1), async (payer, mutate, bit) => {
      const signed = await sign(payer, terms);
      const { authorization, signature } = signed;
      const otherSignature = flipBit(signature, bit);
      const otherParity = `${signature.slice(0, -2)}${signature.endsWith('1b') ? '1c' : '1b'}`;
      const mutations = [
        { ...signed, authorization: mutate(authorization) },
        { ...signed, signature: otherSignature },
        { ...signed, signature: otherParity },
        { ...signed, terms: { ...terms, network: 'eip155:137' as const } },
        { ...signed, terms: { ...terms, asset: terms.payTo } },
        { ...signed, terms: { ...terms, extra: { name: 'USDC', version: '2' } } },
      ];
      for (const mutation of mutations) expect(findSigner(mutation)).toBe('unknown');
    }),
    { numRuns: 20 },
  );
});

test('a signature of a contract is left to the facilitator, with its deployment or without', async () => {
  const signed = await sign(`0x${'01'.repeat(32)}`, terms);
  const deployed = serializeErc6492Signature({ address: terms.payTo as Hex, data: '0x', signature: '0x5a' });
  expect(findSigner({ ...signed, signature: deployed })).toBe('contract');
  for (const bytes of [1, 64, 66, 200]) {
    expect(findSigner({ ...signed, signature: `0x${'5a'.repeat(bytes)}` })).toBe('unknown');
  }
  for (const extreme of ['00', 'ff']) {
    expect(findSigner({ ...signed, signature: `0x${extreme.repeat(65)}` })).toBe('unknown');
  }
});

test('a signature that the token refuses does not prove the payer: with a high s, or with v 0 or 1', async () => {
  const signed = await sign(`0x${'01'.repeat(32)}`, terms);
  const { r, s, yParity } = parseSignature(signed.signature as Hex);
  const highS = numberToHex(CURVE_ORDER - BigInt(s), { size: 32 });
  const parity = numberToHex(yParity, { size: 1 });
  const otherV = yParity === 0 ? '0x1c' : '0x1b';
  for (const signature of [concat([r, s, parity]), concat([r, highS, otherV])]) {
    expect(findSigner({ ...signed, signature })).toBe('unknown');
  }
});
