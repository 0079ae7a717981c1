import type { RuleCases, RuleExample } from './rule-case.ts';
import {
  BASE_USDC,
  PAY_TO,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';

function options(...changes: readonly JsonObject[]): RuleExample {
  return { response: v2Response(v2Envelope({ accepts: changes.map((change) => v2Option(change)) })) };
}

const SEPOLIA_USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const MEGA_USD = {
  network: 'eip155:4326',
  asset: '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7',
  amount: '10000000000000000',
};
const SOLANA = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe',
  extra: { feePayer: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe' },
};
const POLYGON = { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' };
const EURC_DOMAIN = { name: 'EURC', version: '2' };
const CARDS = { network: 'card:visa', asset: 'USD', payTo: 'merchant', scheme: 'auth-capture' };

const VALID = options({});
const VERSION_1: RuleExample = { response: v1Response() };

/** Example responses for the rules on assets, payees, timeouts, signing and option lists of version 2. */
export const V2_ASSET_PAYEE_CASES: RuleCases = {
  'v2-asset-shape': { pass: VALID, fail: options({ asset: 'USDC' }), skip: options(CARDS) },
  'v2-asset-checksum': {
    pass: VALID,
    fail: options({ asset: BASE_USDC.replace('fCD', 'fcD') }),
    skip: options(SOLANA),
  },
  'v2-asset-default': {
    pass: VALID,
    fail: options({}, { asset: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42', extra: EURC_DOMAIN }),
    skip: options({ scheme: 'aggr_deferred' }),
  },
  'v2-asset-network': {
    pass: VALID,
    fail: options({ asset: SEPOLIA_USDC, extra: { name: 'USDC', version: '2' } }),
    skip: options({ asset: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42' }),
  },
  'v2-payto-shape': { pass: VALID, fail: options({ payTo: `${PAY_TO}00` }), skip: options(CARDS) },
  'v2-payto-checksum': {
    pass: VALID,
    fail: options({ payTo: PAY_TO.replace('Bc6a', 'bc6a') }),
    skip: options(SOLANA),
  },
  'v2-payto-burn': {
    pass: VALID,
    fail: options({ payTo: `0x${'0'.repeat(40)}` }),
    skip: options({ payTo: '' }),
  },
  'v2-payto-is-asset': { pass: VALID, fail: options({ payTo: BASE_USDC }), skip: options({ payTo: '' }) },
  'v2-timeout-number': { pass: VALID, fail: options({ maxTimeoutSeconds: '60' }), skip: VERSION_1 },
  'v2-timeout-range': {
    pass: options({ maxTimeoutSeconds: 3600 }),
    fail: options({ maxTimeoutSeconds: 86_400 }),
    skip: options({ maxTimeoutSeconds: '60' }),
  },
  'v2-eip712-domain': {
    pass: VALID,
    fail: options({ extra: { name: 'USD Coin' } }),
    skip: options({ extra: { assetTransferMethod: 'permit2' } }),
  },
  'v2-eip712-domain-value': {
    pass: VALID,
    fail: options({ extra: { name: 'USDC', version: '2' } }),
    skip: options({ extra: {} }),
  },
  'v2-transfer-method': {
    pass: options({ extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'eip3009' } }),
    fail: options({ extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'erc3009' } }),
    skip: VALID,
  },
  'v2-payment-flow': {
    pass: options({ extra: { name: 'USD Coin', version: '2', paymentFlow: 'upfront' } }),
    fail: options({ extra: { name: 'USD Coin', version: '2', paymentFlow: 'later' } }),
    skip: VALID,
  },
  'v2-svm-fee-payer': { pass: options(SOLANA), fail: options({ ...SOLANA, extra: {} }), skip: VALID },
  'v2-accepts-unambiguous': {
    pass: options({}, POLYGON),
    fail: options({}, { amount: '20000' }),
    skip: VALID,
  },
  'v2-price-coherent': {
    pass: options({}, { ...MEGA_USD, extra: { assetTransferMethod: 'permit2' } }),
    fail: options({}, { ...POLYGON, amount: '12000' }),
    skip: options({}, { amount: '20000' }),
  },
};
