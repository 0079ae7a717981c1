import { describe, expect, test } from 'vitest';
import { V2_SIGNING_RULES } from './signing-rules.ts';
import {
  getCheck,
  listFailures,
  PAY_TO,
  readV2,
  getResult,
  type JsonObject,
} from '../../testing/fixtures.ts';

const ids = new Set(V2_SIGNING_RULES.map(({ id }) => id));
const WALLET = 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe';
const SOLANA = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: WALLET,
};
const SEPOLIA = { network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' };
const MEGA_USD = { network: 'eip155:4326', asset: '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7' };
const DOMAIN = { name: 'USD Coin', version: '2' };

function faults(change: JsonObject): string[] {
  return listFailures(readV2(change)).filter((id) => ids.has(id));
}

describe('an option', () => {
  test.each<[string, JsonObject, string[]]>([
    ['that is correct', {}, []],
    ['on Solana', { ...SOLANA, extra: { feePayer: WALLET } }, []],
    ['without extra', { extra: undefined }, ['v2-eip712-domain']],
    ['with extra that is not an object', { extra: 'USDC' }, ['v2-eip712-domain']],
    ['with a domain without version', { extra: { name: 'USD Coin' } }, ['v2-eip712-domain']],
    ['with a numeric version', { extra: { name: 'USD Coin', version: 2 } }, ['v2-eip712-domain']],
    ['with permit2, which needs no domain', { extra: { assetTransferMethod: 'permit2' } }, []],
    ['with erc7710, which needs no domain', { extra: { assetTransferMethod: 'erc7710' } }, []],
    ['with upto, which needs no domain', { scheme: 'upto', extra: {} }, []],
    [
      'with batch-settlement, which needs a domain',
      { scheme: 'batch-settlement', extra: {} },
      ['v2-eip712-domain'],
    ],
    [
      'with the domain of the test network',
      { extra: { name: 'USDC', version: '2' } },
      ['v2-eip712-domain-value'],
    ],
    ['with another version', { extra: { name: 'USD Coin', version: '1' } }, ['v2-eip712-domain-value']],
    ['on the test network with its domain', { ...SEPOLIA, extra: { name: 'USDC', version: '2' } }, []],
    ['on the test network with the domain of the main network', SEPOLIA, ['v2-eip712-domain-value']],
    [
      'with an unknown transfer method',
      { extra: { ...DOMAIN, assetTransferMethod: 'erc3009' } },
      ['v2-transfer-method'],
    ],
    [
      'with a transfer method that is not a string',
      { extra: { ...DOMAIN, assetTransferMethod: 1 } },
      ['v2-transfer-method'],
    ],
    ['with an unknown payment flow', { extra: { ...DOMAIN, paymentFlow: 'later' } }, ['v2-payment-flow']],
    ['with a declared escrow', { extra: { ...DOMAIN, escrow: PAY_TO, paymentFlow: 'escrow' } }, []],
    ['with an undeclared escrow', { extra: { ...DOMAIN, captureAuthorizer: PAY_TO } }, ['v2-payment-flow']],
    [
      'with escrow members set to false and null',
      { extra: { ...DOMAIN, escrow: false, escrowAddress: null } },
      [],
    ],
    ['on Solana without a fee payer', { ...SOLANA, extra: {} }, ['v2-svm-fee-payer']],
    [
      'on Solana with a short fee payer',
      { ...SOLANA, extra: { feePayer: `1${'z'.repeat(40)}` } },
      ['v2-svm-fee-payer'],
    ],
    ['on Solana with an EVM fee payer', { ...SOLANA, extra: { feePayer: PAY_TO } }, ['v2-svm-fee-payer']],
  ])('%s', (_, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  test.each<[string, JsonObject, string]>([
    ['v2-eip712-domain', { extra: { assetTransferMethod: 'erc3009' } }, 'skip'],
    ['v2-eip712-domain', { extra: { ...DOMAIN, assetTransferMethod: null } }, 'pass'],
    ['v2-eip712-domain', { scheme: 'upto' }, 'skip'],
    ['v2-eip712-domain', { scheme: 'auth-capture' }, 'pass'],
    ['v2-eip712-domain-value', { asset: PAY_TO }, 'skip'],
    ['v2-eip712-domain-value', { extra: {} }, 'skip'],
    ['v2-transfer-method', {}, 'skip'],
    ['v2-transfer-method', { scheme: 'upto', extra: { assetTransferMethod: 'x' } }, 'skip'],
    ['v2-transfer-method', { ...SOLANA, extra: { assetTransferMethod: 'x' } }, 'skip'],
    ['v2-transfer-method', { ...MEGA_USD, extra: { name: 'MegaUSD', version: '1' } }, 'fail warning'],
    ['v2-transfer-method', { ...MEGA_USD, extra: { assetTransferMethod: 'eip3009' } }, 'fail error'],
    ['v2-transfer-method', { ...MEGA_USD, extra: { assetTransferMethod: 'permit2' } }, 'pass'],
    ['v2-payment-flow', {}, 'skip'],
    ['v2-payment-flow', { extra: { ...DOMAIN, paymentFlow: null } }, 'skip'],
    ['v2-payment-flow', { extra: { ...DOMAIN, paymentFlow: {} } }, 'fail error'],
    ['v2-payment-flow', { extra: { ...DOMAIN, captureDeadline: 1 } }, 'fail warning'],
    ['v2-payment-flow', { scheme: 'auth-capture', extra: { ...DOMAIN, captureAuthorizer: PAY_TO } }, 'skip'],
    ['v2-payment-flow', { scheme: 'auth-capture', extra: { ...DOMAIN, paymentFlow: 'escrow' } }, 'pass'],
    ['v2-payment-flow', { scheme: 'auth-capture', extra: { ...DOMAIN, paymentFlow: 'x' } }, 'fail error'],
    ['v2-svm-fee-payer', { ...SOLANA, scheme: 'upto', extra: {} }, 'skip'],
    ['v2-svm-fee-payer', { network: SOLANA.network, extra: {} }, 'skip'],
  ])('%s of %o: %s', (id, change, result) => {
    expect(getResult(readV2(change), id)).toBe(result);
  });

  test('gets a message with the domain of its token', () => {
    const { message } = getCheck(readV2({ extra: { name: 'USDC', version: '2' } }), 'v2-eip712-domain-value');
    expect(message).toContain('the contract signs as USD Coin version 2');
  });
});
