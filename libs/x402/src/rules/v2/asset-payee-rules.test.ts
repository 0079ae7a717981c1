import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import { V2_ASSET_PAYEE_RULES } from './asset-payee-rules.ts';
import {
  BASE_USDC,
  getCheck,
  listFailures,
  PAY_TO,
  readV2,
  getResult,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';

const ids = new Set(V2_ASSET_PAYEE_RULES.map(({ id }) => id));
const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const DEVNET_USDC = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
const WALLET = 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe';
const SOLANA = {
  network: MAINNET,
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: WALLET,
  extra: { feePayer: WALLET },
};
const SEPOLIA_USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const EURC = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';
const USDT0 = '0x779Ded0c9e1022225f8E0630b35a9b54bE713736';

function faults(change: JsonObject): string[] {
  return listFailures(readV2(change)).filter((id) => ids.has(id));
}

describe('an option', () => {
  test.each<[string, JsonObject, string[]]>([
    ['that is correct', {}, []],
    ['on Solana', SOLANA, []],
    ['with a symbol as asset', { asset: 'USDC' }, ['v2-asset-shape']],
    ['without an asset', { asset: undefined }, ['v2-asset-shape']],
    ['with a CAIP-19 id as asset', { asset: `eip155:8453/erc20:${BASE_USDC}` }, ['v2-asset-shape']],
    [
      'with a CAIP-19 id as asset on Solana',
      { ...SOLANA, asset: `${MAINNET}/token:${SOLANA.asset}` },
      ['v2-asset-shape'],
    ],
    ['with a mint of 31 bytes', { ...SOLANA, asset: `1${'z'.repeat(40)}` }, ['v2-asset-shape']],
    ['with a lower-case asset', { asset: BASE_USDC.toLowerCase() }, ['v2-asset-checksum']],
    ['with a wrong checksum of the asset', { asset: BASE_USDC.replace('fCD', 'fcd') }, ['v2-asset-checksum']],
    ['with another token', { asset: EURC }, ['v2-asset-default']],
    ['with the token of a test network', { asset: SEPOLIA_USDC }, ['v2-asset-network']],
    ['with the token of a main network on a test network', { network: 'eip155:84532' }, ['v2-asset-network']],
    ['with the mint of a test network', { ...SOLANA, asset: DEVNET_USDC }, ['v2-asset-network']],
    ['with USDT0 on X Layer', { network: 'eip155:196', asset: USDT0 }, ['v2-asset-default']],
    ['with USDT0 on a network where it is unknown', { asset: USDT0 }, ['v2-asset-default']],
    ['paid to an EVM address on Solana', { ...SOLANA, payTo: PAY_TO }, ['v2-payto-shape']],
    ['paid to a wallet of 31 bytes', { ...SOLANA, payTo: `1${'z'.repeat(40)}` }, ['v2-payto-shape']],
    ['without a payee', { payTo: '' }, ['v2-payto-shape']],
    ['paid to a role', { payTo: 'merchant' }, ['v2-payto-shape']],
    [
      'paid to a role with upto, which requires an address',
      { scheme: 'upto', payTo: 'merchant' },
      ['v2-payto-shape'],
    ],
    ['paid to a role with a custom scheme', { scheme: 'deferred', payTo: 'merchant' }, []],
    ['paid to a lower-case address', { payTo: PAY_TO.toLowerCase() }, ['v2-payto-checksum']],
    [
      'paid to an address with a wrong checksum',
      { payTo: PAY_TO.replace('BcC', 'bcC').replace('Bc6', 'bc6') },
      ['v2-payto-checksum'],
    ],
    ['paid to the zero address', { payTo: `0x${'0'.repeat(40)}` }, ['v2-payto-burn']],
    [
      'paid to the incinerator',
      { ...SOLANA, payTo: '1nc1nerator11111111111111111111111111111111' },
      ['v2-payto-burn'],
    ],
    ['paid to its token', { payTo: BASE_USDC }, ['v2-payto-is-asset']],
    [
      'paid to its token in another letter case',
      { payTo: BASE_USDC.toLowerCase() },
      ['v2-payto-checksum', 'v2-payto-is-asset'],
    ],
    ['paid to its mint', { ...SOLANA, payTo: SOLANA.asset }, ['v2-payto-is-asset']],
    ['with a string timeout', { maxTimeoutSeconds: '60' }, ['v2-timeout-number']],
    ['with a timeout of zero', { maxTimeoutSeconds: 0 }, ['v2-timeout-number']],
    ['with a fractional timeout', { maxTimeoutSeconds: 60.5 }, ['v2-timeout-number']],
    ['without a timeout', { maxTimeoutSeconds: undefined }, ['v2-timeout-number']],
    ['with nine seconds to pay', { maxTimeoutSeconds: 9 }, ['v2-timeout-range']],
    ['with a day to pay', { maxTimeoutSeconds: 86_400 }, ['v2-timeout-range']],
    ['with ten seconds to pay', { maxTimeoutSeconds: 10 }, []],
    ['with an hour to pay', { maxTimeoutSeconds: 3_600 }, []],
  ])('%s', (_, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  test.each<[string, JsonObject, string]>([
    ['v2-asset-shape', { asset: `eip155:8453/erc20:${BASE_USDC}` }, 'fail warning'],
    ['v2-asset-shape', { asset: `eip155:1/erc20:${BASE_USDC}` }, 'fail error'],
    ['v2-asset-shape', { asset: 'eip155:8453/erc20:USDC' }, 'fail error'],
    ['v2-asset-shape', { asset: 'eip155:8453/slip44:60' }, 'fail error'],
    ['v2-asset-shape', { network: 'hedera:testnet', asset: '0.0.429274' }, 'skip'],
    ['v2-asset-shape', { network: 'base' }, 'skip'],
    ['v2-asset-checksum', { asset: BASE_USDC.toLowerCase() }, 'fail info'],
    ['v2-asset-checksum', { asset: `0x${BASE_USDC.slice(2).toUpperCase()}` }, 'fail info'],
    ['v2-asset-checksum', { asset: BASE_USDC.replace('fCD', 'fcd') }, 'fail warning'],
    ['v2-asset-checksum', { asset: 'USDC' }, 'skip'],
    ['v2-asset-default', { scheme: 'upto' }, 'pass'],
    ['v2-asset-default', { scheme: 'deferred' }, 'skip'],
    ['v2-asset-default', { asset: SEPOLIA_USDC }, 'skip'],
    ['v2-asset-default', { asset: EURC }, 'fail error'],
    ['v2-asset-network', { asset: EURC }, 'skip'],
    ['v2-asset-network', { asset: SEPOLIA_USDC }, 'fail error'],
    ['v2-payto-shape', { network: 'card:visa', payTo: 'merchant' }, 'skip'],
    ['v2-payto-checksum', { payTo: PAY_TO.toLowerCase() }, 'fail info'],
    ['v2-payto-checksum', { payTo: PAY_TO.replace('Bc6', 'bc6') }, 'fail warning'],
    ['v2-payto-burn', { payTo: `0x${'0'.repeat(36)}dEaD` }, 'fail error'],
    ['v2-payto-is-asset', { payTo: `0x${'0'.repeat(40)}`, asset: `0x${'0'.repeat(40)}` }, 'skip'],
    ['v2-payto-is-asset', { asset: `eip155:8453/erc20:${PAY_TO}` }, 'fail error'],
    ['v2-timeout-number', { maxTimeoutSeconds: 1e21 }, 'fail error'],
    ['v2-timeout-range', { maxTimeoutSeconds: 0 }, 'skip'],
    ['v2-timeout-range', { maxTimeoutSeconds: 5 }, 'fail warning'],
  ])('%s of %o: %s', (id, change, result) => {
    expect(getResult(readV2(change), id)).toBe(result);
  });

  test('with the token of another network gets a message that names that network', () => {
    expect(getCheck(readV2({ asset: SEPOLIA_USDC }), 'v2-asset-network').message).toContain(
      'USDC address on eip155:84532',
    );
  });
});

describe('many options', () => {
  test('with the same fault are one finding with a count', () => {
    const accepts = Array.from({ length: 40 }, () => v2Option({ maxTimeoutSeconds: null }));
    const challenge = readChallenge(v2Response(v2Envelope({ accepts: [v2Option(), ...accepts] })));
    expect(getCheck(challenge, 'v2-timeout-number').message).toContain(
      '(accepts[1]; affects 40 of 41 options)',
    );
  });

  test('are checked up to number 64', () => {
    const accepts = Array.from({ length: 64 }, () => v2Option());
    const challenge = readChallenge(
      v2Response(v2Envelope({ accepts: [...accepts, v2Option({ payTo: '0xbad' })] })),
    );
    expect(challenge.options).toHaveLength(64);
    expect(getResult(challenge, 'v2-payto-shape')).toBe('pass');
  });
});

describe('a token that clients do not accept by default', () => {
  const check = (...accepts: JsonObject[]): ReturnType<typeof getCheck> =>
    getCheck(readChallenge(v2Response(v2Envelope({ accepts }))), 'v2-asset-default');

  test('is a warning next to an accepted token, and an error alone', () => {
    const eurc = v2Option({ asset: EURC, extra: { name: 'EURC', version: '2' } });
    expect(check(v2Option(), eurc)).toMatchObject({ result: 'fail', severity: 'warning' });
    expect(check(eurc)).toMatchObject({ result: 'fail', severity: 'error' });
  });

  test('is an error when its name is USDC', () => {
    const fake = v2Option({ asset: EURC, extra: { name: 'USDC', version: '2' } });
    const finding = check(v2Option(), fake);
    expect(finding).toMatchObject({ result: 'fail', severity: 'error' });
    expect(finding.message).toContain(
      `is named USDC but is not USDC; on "eip155:8453", USDC is ${BASE_USDC}`,
    );
  });
});
