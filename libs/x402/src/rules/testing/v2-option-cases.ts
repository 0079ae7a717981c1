import type { RuleCases, RuleExample } from './rule-case.ts';
import { v1Response, v2Envelope, v2Option, v2Response, type JsonObject } from '../../testing/fixtures.ts';

function option(change: JsonObject): RuleExample {
  return { response: v2Response(v2Envelope({ accepts: [v2Option(change)] })) };
}

const CELO = {
  network: 'eip155:42220',
  asset: '0xcebA9300f2b948710d2653dD7B07f33A8B32118C',
  extra: { name: 'USDC', version: '2' },
};

const VALID = option({});
const VERSION_1: RuleExample = { response: v1Response() };

/** Example responses for the rules on scheme, network and amount of version 2. */
export const V2_OPTION_CASES: RuleCases = {
  'v2-scheme': { pass: VALID, fail: option({ scheme: '' }), skip: VERSION_1 },
  'v2-scheme-known': {
    pass: option({ scheme: 'upto' }),
    fail: option({ scheme: 'aggr_deferred' }),
    skip: option({ scheme: undefined }),
  },
  'v2-network-caip2': {
    pass: VALID,
    fail: option({ network: 'ethereum mainnet' }),
    skip: option({ network: 'base' }),
  },
  'v2-network-not-v1-name': {
    pass: VALID,
    fail: option({ network: 'base' }),
    skip: option({ network: 8453 }),
  },
  'v2-network-known': {
    pass: VALID,
    fail: option({ network: 'eip155:999999', asset: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42' }),
    skip: option({ network: 'base' }),
  },
  'v2-network-cdp': {
    pass: {
      response: v2Response(v2Envelope({ accepts: [v2Option(CELO), v2Option()] })),
    },
    fail: option(CELO),
    skip: option({ network: 'base' }),
  },
  'v2-network-mainnet': {
    pass: VALID,
    fail: option({
      network: 'eip155:84532',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      extra: { name: 'USDC', version: '2' },
    }),
    skip: option({ network: 'base-sepolia' }),
  },
  'v2-amount-string': {
    pass: VALID,
    fail: option({ amount: '0.01' }),
    skip: option({ amount: undefined, maxAmountRequired: '10000' }),
  },
  'v2-amount-positive': { pass: VALID, fail: option({ amount: '0' }), skip: option({ amount: '0.00' }) },
  'v2-amount-cdp-floor': {
    pass: option({ amount: '1000' }),
    fail: option({ amount: '999' }),
    skip: option({ ...CELO, amount: '999' }),
  },
  'v2-no-max-amount': {
    pass: VALID,
    fail: option({ amount: undefined, maxAmountRequired: '10000' }),
    skip: VERSION_1,
  },
  'v2-unknown-keys': { pass: VALID, fail: option({ price: '$0.01' }), skip: VERSION_1 },
};
