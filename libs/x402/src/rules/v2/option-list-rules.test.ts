import { expect, test } from 'vitest';
import { V2_OPTION_LIST_RULES } from './option-list-rules.ts';
import {
  BASE_USDC,
  getCheck,
  MEGA_USD,
  OTHER_WALLET,
  PAY_TO,
  POLYGON,
  readV2,
  SEPOLIA,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';

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
      warning: [
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
