import { describe, expect, test } from 'vitest';
import { V2_SIGNING_RULES } from './signing-rules.ts';
import {
  DOMAIN,
  getCheck,
  MEGA_USD,
  PAY_TO,
  SCHEME_OPTIONS,
  readV1,
  readV2,
  SEPOLIA,
  SOLANA,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';

const MEGA_USD_DOMAIN = { name: 'MegaUSD', version: '1' };
const TESTNET_DOMAIN = { extra: SEPOLIA.extra };

/** Each example changes the only payment option of the challenge. */
testRules<JsonObject>({
  rules: V2_SIGNING_RULES,
  read: (change) => readV2(change),
  overlaps: {
    'v2-eip712-domain': ['v2-scheme-members'],
    'v2-payment-flow': ['v2-scheme-members'],
  },
  cases: {
    'v2-eip712-domain': {
      pass: [{}, { extra: { ...DOMAIN, assetTransferMethod: null } }, { scheme: 'auth-capture' }],
      error: [
        ...[{ extra: undefined }, { extra: 'USDC' }, { extra: { name: 'USD Coin' } }],
        ...[{ extra: { name: 'USD Coin', version: 2 } }, { scheme: 'batch-settlement', extra: {} }],
      ],
      skip: [
        ...[{ extra: { assetTransferMethod: 'permit2' } }, { extra: { assetTransferMethod: 'erc7710' } }],
        ...[{ extra: { assetTransferMethod: 'erc3009' } }, { scheme: 'upto' }, { scheme: 'upto', extra: {} }],
        SOLANA,
      ],
    },
    'v2-eip712-domain-value': {
      pass: [{}, SEPOLIA],
      error: [
        ...[TESTNET_DOMAIN, { extra: { name: 'USD Coin', version: '1' } }],
        { ...SEPOLIA, extra: DOMAIN },
      ],
      skip: [{ asset: PAY_TO }, { extra: {} }],
    },
    'v2-transfer-method': {
      pass: [{ extra: { ...DOMAIN, assetTransferMethod: 'eip3009' } }, MEGA_USD],
      error: [
        ...['erc3009', 1].map((assetTransferMethod) => ({ extra: { ...DOMAIN, assetTransferMethod } })),
        { ...MEGA_USD, extra: { ...MEGA_USD_DOMAIN, assetTransferMethod: 'eip3009' } },
        { ...MEGA_USD, extra: MEGA_USD_DOMAIN },
        { ...SCHEME_OPTIONS.batch, extra: { ...SCHEME_OPTIONS.batch.extra, assetTransferMethod: 'erc7710' } },
      ],
      skip: [
        ...[{}, { scheme: 'upto', extra: { assetTransferMethod: 'x' } }],
        { ...SOLANA, extra: { assetTransferMethod: 'x' } },
      ],
    },
    'v2-payment-flow': {
      pass: [
        { extra: { ...DOMAIN, paymentFlow: 'upfront' } },
        { extra: { ...DOMAIN, paymentFlow: 'escrow', escrow: PAY_TO } },
        { scheme: 'auth-capture', extra: { ...DOMAIN, paymentFlow: 'escrow' } },
      ],
      error: [
        ...['later', {}].map((paymentFlow) => ({ extra: { ...DOMAIN, paymentFlow } })),
        { scheme: 'auth-capture', extra: { ...DOMAIN, paymentFlow: 'x' } },
      ],
      // The option has members for escrow payments, but does not declare the payment flow `escrow`.
      warning: [
        ...[
          { extra: { ...DOMAIN, captureAuthorizer: PAY_TO } },
          { extra: { ...DOMAIN, captureDeadline: 1 } },
        ],
      ],
      skip: [
        ...[{}, { extra: { ...DOMAIN, paymentFlow: null } }],
        { extra: { ...DOMAIN, escrow: false, escrowAddress: null } },
        { scheme: 'auth-capture', extra: { ...DOMAIN, captureAuthorizer: PAY_TO } },
      ],
    },
    'v2-scheme-members': {
      pass: [
        { scheme: 'upto', extra: { facilitatorAddress: PAY_TO } },
        { scheme: 'batch-settlement', extra: { ...DOMAIN, receiverAuthorizer: PAY_TO } },
        SCHEME_OPTIONS.solanaUpto,
      ],
      error: [
        { scheme: 'upto', extra: DOMAIN },
        { scheme: 'upto', extra: undefined },
        { scheme: 'batch-settlement', extra: { ...DOMAIN, receiverAuthorizer: `0x${'0'.repeat(40)}` } },
        { scheme: 'auth-capture' },
        { ...SOLANA, scheme: 'upto' },
      ],
      skip: [{}, { scheme: 'deferred' }, { ...SOLANA, scheme: 'auth-capture' }],
    },
    'v2-svm-fee-payer': {
      pass: [SOLANA],
      error: [undefined, `1${'z'.repeat(40)}`, PAY_TO].map((feePayer) => ({
        ...SOLANA,
        extra: { feePayer },
      })),
      skip: [{}, { ...SOLANA, scheme: 'upto', extra: {} }, { network: SOLANA.network, extra: {} }],
    },
  },
});

test('a wrong domain gets a message with the domain of its token', () => {
  expect(getCheck(readV2(TESTNET_DOMAIN), 'v2-eip712-domain-value').message).toContain(
    'the contract signs as USD Coin version 2',
  );
});

describe('a fault of the EIP-712 domain names the member and the effect', () => {
  test.each<[extra: unknown, v2: string, v1: string]>([
    [undefined, 'extra is missing; it must have the name and the version of the token.', 'extra is missing;'],
    [
      { name: 'USD Coin' },
      'extra.version is missing; it must be a string. As it is, clients cannot sign',
      'sign all the same',
    ],
    [{ name: '', version: '2' }, 'extra.name is ""; it must be a string.', 'extra.name is "";'],
    [
      { name: 'USD Coin', version: 2 },
      'extra.version is 2; it must be a string. Clients sign with this value, but the token contract rejects',
      'extra.version is 2;',
    ],
    [
      { name: 1 },
      'extra.name is 1 and extra.version is missing; both must be a string. As it is, clients cannot sign',
      'extra.name is 1 and extra.version is missing;',
    ],
    [null, 'extra is null', 'As it is, version 1 clients reject the whole list.'],
    [[], 'extra is of type array', 'As it is, version 1 clients reject the whole list.'],
  ])('%j', (extra, v2, v1) => {
    expect(getCheck(readV2({ extra }), 'v2-eip712-domain').message).toContain(v2);
    expect(getCheck(readV1({ extra }), 'v1-eip712-domain').message).toContain(v1);
  });
});
