import { expect, test } from 'vitest';
import { V2_ASSET_PAYEE_RULES } from './asset-payee-rules.ts';
import {
  BASE_USDC,
  EURC,
  getCheck,
  PAY_TO,
  readV2,
  SEPOLIA,
  SOLANA,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';

const CARDS = { network: 'card:visa', asset: 'USD', payTo: 'merchant', scheme: 'auth-capture' };
const SEPOLIA_ASSET = { asset: SEPOLIA.asset, extra: SEPOLIA.extra };
const DEVNET_USDC = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
const USDT0 = '0x779Ded0c9e1022225f8E0630b35a9b54bE713736';
const EURC_OPTION = { asset: EURC, extra: { name: 'EURC', version: '2' } };
const FALSE_USDC = { asset: EURC, extra: { name: 'USDC', version: '2' } };
/** Base58 text of 41 characters that encodes 31 bytes instead of 32. */
const SHORT_KEY = `1${'z'.repeat(40)}`;
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** Each example is a list of changes. Each change creates one payment option. */
testRules<readonly JsonObject[]>({
  rules: V2_ASSET_PAYEE_RULES,
  read: (changes) => readV2(...changes),
  cases: {
    'v2-asset-shape': {
      pass: [[{}], [SOLANA], [{ network: 'base' }]],
      error: [
        ...[[{ asset: 'USDC' }], [{ asset: undefined }], [{ ...SOLANA, asset: SHORT_KEY }]],
        ...[[{ asset: `eip155:1/erc20:${BASE_USDC}` }], [{ asset: 'eip155:8453/erc20:USDC' }]],
        [{ asset: 'eip155:8453/slip44:60' }],
        [{ asset: `eip155:8453/erc20:${BASE_USDC}` }],
        [{ ...SOLANA, asset: `${SOLANA.network}/token:${SOLANA.asset}` }],
      ],
      skip: [[CARDS], [{ network: 'hedera:testnet', asset: '0.0.429274' }]],
    },
    'v2-asset-checksum': {
      pass: [[{}]],
      warning: [[{ asset: BASE_USDC.replace('fCD', 'fcd') }]],
      info: [[{ asset: BASE_USDC.toLowerCase() }], [{ asset: `0x${BASE_USDC.slice(2).toUpperCase()}` }]],
      skip: [[SOLANA], [{ asset: 'USDC' }]],
    },
    'v2-asset-usdc': {
      pass: [[{}], [{ scheme: 'upto' }], [EURC_OPTION], [{ network: 'eip155:196', asset: USDT0 }]],
      error: [[{ asset: EURC }], [{}, FALSE_USDC], [{ asset: USDT0 }]],
      skip: [[{ scheme: 'aggr_deferred' }], [SEPOLIA_ASSET]],
    },
    'v2-asset-network': {
      pass: [[{}]],
      error: [[SEPOLIA_ASSET], [{ network: SEPOLIA.network }], [{ ...SOLANA, asset: DEVNET_USDC }]],
      skip: [[{ asset: EURC }]],
    },
    'v2-payto-shape': {
      pass: [
        [{}],
        [SOLANA],
        // At most 64 options are read.
        [...Array.from({ length: 64 }, () => ({})), { payTo: '0xbad' }],
      ],
      error: [
        ...[[{ payTo: `${PAY_TO}00` }], [{ payTo: '' }], [{ payTo: 'merchant' }]],
        ...[[{ ...SOLANA, payTo: PAY_TO }], [{ ...SOLANA, payTo: SHORT_KEY }]],
        [{ scheme: 'upto', payTo: 'merchant' }],
      ],
      skip: [
        ...[[CARDS], [{ network: 'card:visa', payTo: 'merchant' }]],
        [{ scheme: 'deferred', payTo: 'merchant' }],
      ],
    },
    'v2-payto-checksum': {
      pass: [[{}]],
      warning: [[{ payTo: PAY_TO.replace('Bc6', 'bc6') }]],
      info: [[{ payTo: PAY_TO.toLowerCase() }]],
      skip: [[SOLANA]],
    },
    'v2-payto-burn': {
      pass: [[{}]],
      error: [
        ...[[{ payTo: ZERO_ADDRESS }], [{ payTo: `0x${'0'.repeat(36)}dEaD` }]],
        [{ ...SOLANA, payTo: '1nc1nerator11111111111111111111111111111111' }],
      ],
      skip: [[{ payTo: '' }]],
    },
    'v2-payto-is-asset': {
      pass: [[{}]],
      error: [
        ...[
          [{ payTo: BASE_USDC }],
          [{ payTo: BASE_USDC.toLowerCase() }],
          [{ ...SOLANA, payTo: SOLANA.asset }],
        ],
        [{ asset: `eip155:8453/erc20:${PAY_TO}` }],
      ],
      skip: [[{ payTo: '' }], [{ payTo: ZERO_ADDRESS, asset: ZERO_ADDRESS }]],
    },
    'v2-timeout-number': {
      pass: [[{}]],
      error: ['60', 0, 60.5, undefined, 1e21].map((maxTimeoutSeconds) => [{ maxTimeoutSeconds }]),
    },
    'v2-timeout-range': {
      pass: [[{ maxTimeoutSeconds: 10 }], [{ maxTimeoutSeconds: 3_600 }]],
      warning: [[{ maxTimeoutSeconds: 9 }], [{ maxTimeoutSeconds: 86_400 }], [{}, { maxTimeoutSeconds: 5 }]],
      'error on payable': [[{ maxTimeoutSeconds: 5 }]],
      skip: [[{ maxTimeoutSeconds: '60' }], [{ maxTimeoutSeconds: 0 }]],
    },
  },
  overlaps: {
    'v2-asset-usdc': ['v2-asset-network'],
    'v2-payto-is-asset': ['v2-payto-checksum', 'v2-asset-shape'],
  },
});

test.each<[string, readonly JsonObject[], string]>([
  ['v2-asset-network', [SEPOLIA_ASSET], 'USDC address on eip155:84532'],
  [
    'v2-asset-usdc',
    [{}, FALSE_USDC],
    `is named USDC but is not USDC; on "eip155:8453", USDC is ${BASE_USDC}`,
  ],
  [
    'v2-timeout-number',
    [{}, ...Array.from({ length: 40 }, () => ({ maxTimeoutSeconds: null }))],
    '(accepts[1]; affects 40 of 41 options)',
  ],
])('%s explains the failure', (id, changes, text) => {
  expect(getCheck(readV2(...changes), id).message).toContain(text);
});
