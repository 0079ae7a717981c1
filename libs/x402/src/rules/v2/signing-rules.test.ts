import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCoherent, V2_OPTION_LIST_RULES, V2_SIGNING_RULES } from './signing-rules.ts';
import {
  BASE_USDC,
  DOMAIN,
  getCheck,
  MEGA_USD,
  OTHER_WALLET,
  PAY_TO,
  POLYGON,
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
      ],
      warning: [{ ...MEGA_USD, extra: MEGA_USD_DOMAIN }],
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

const EXPENSIVE = { amount: '20000' };

/**
 * Creates the changes of two options in one scheme. The second option has another price and the given members of
 * `extra`.
 */
function inScheme(scheme: string, extra: JsonObject): JsonObject[] {
  return [{ scheme }, { scheme, extra, ...EXPENSIVE }];
}

/** Each example is a list of changes. Each change creates one payment option. */
testRules<readonly JsonObject[]>({
  rules: V2_OPTION_LIST_RULES,
  read: (changes) => readV2(...changes),
  cases: {
    'v2-accepts-unambiguous': {
      pass: [
        ...[
          [{}, {}],
          [{}, { payTo: PAY_TO.toLowerCase() }],
          [{}, { amount: '0010000' }],
        ],
        ...[
          [{}, { ...POLYGON, ...EXPENSIVE }],
          [{}, { scheme: 'upto', ...EXPENSIVE }],
        ],
        [{}, { extra: { assetTransferMethod: 'permit2' }, ...EXPENSIVE }],
        ...['upfront', 7].map((paymentFlow) => [{}, { extra: { paymentFlow }, ...EXPENSIVE }]),
        // The default payment flow of auth-capture is escrow, and the default transfer method of upto is permit2.
        inScheme('auth-capture', { paymentFlow: 'authorization' }),
        inScheme('upto', { assetTransferMethod: 'eip3009' }),
        // Only EVM networks have transfer methods.
        [{ network: 'a21:1' }, { network: 'a21:1', extra: { assetTransferMethod: 'eip3009' }, ...EXPENSIVE }],
      ],
      error: [
        ...[
          [{}, EXPENSIVE],
          [{}, { payTo: OTHER_WALLET }],
        ],
        ...[BASE_USDC.toLowerCase(), `eip155:8453/erc20:${BASE_USDC}`].map((asset) => [
          {},
          { asset, ...EXPENSIVE },
        ]),
        ...[{ assetTransferMethod: 'eip3009' }, { paymentFlow: 'authorization' }].map((extra) => [
          {},
          { extra, ...EXPENSIVE },
        ]),
        inScheme('auth-capture', { paymentFlow: 'escrow' }),
      ],
      skip: [[{}], [{}, { amount: '$1' }]],
    },
    'v2-price-coherent': {
      pass: [
        [{}, POLYGON],
        [{}, { ...POLYGON, amount: '10500' }],
        [{}, { ...MEGA_USD, amount: '1'.padEnd(17, '0') }],
      ],
      warning: [
        ...['10501', '9523', '12000'].map((amount) => [{}, { ...POLYGON, amount }]),
        [{}, { ...MEGA_USD, amount: '10000' }],
      ],
      skip: [
        ...[
          [{}, EXPENSIVE],
          [{}, { asset: OTHER_WALLET, amount: '1' }],
        ],
        ...[
          [{}, { ...SEPOLIA, amount: '1' }],
          [{}, { ...POLYGON, scheme: 'upto', amount: '900000' }],
        ],
      ],
    },
  },
});

test('ambiguous options are one finding for any number of options', () => {
  const { message } = getCheck(
    readV2({}, { amount: '1' }, { amount: '2' }, POLYGON),
    'v2-accepts-unambiguous',
  );
  expect(message).toMatch(/^3 options for "0x8335.*" on "eip155:8453" with scheme "exact" differ/);
});

test('prices are coherent exactly when the highest is at most 1.05 times the lowest', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 10n ** 90n }), { minLength: 1 }), (prices) => {
      const sorted = prices.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
      const [lowest = 0n, highest = 0n] = [sorted[0], sorted.at(-1)];
      expect(isCoherent(prices)).toBe(highest * 20n <= lowest * 21n);
      expect(isCoherent(prices.toReversed())).toBe(isCoherent(prices));
    }),
  );
});
