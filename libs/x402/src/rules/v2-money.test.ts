import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { V2_MONEY_RULES } from './v2-money.ts';
import {
  BASE_USDC,
  checkOf,
  failures,
  PAY_TO,
  readV2,
  resultOf,
  v2Envelope,
  v2Option,
  v2Response,
  type Bag,
} from '../testing/fixtures.ts';

const ids = new Set(V2_MONEY_RULES.map(({ id }) => id));
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

function faults(change: Bag): string[] {
  return failures(readV2(change)).filter((id) => ids.has(id));
}

describe('an option', () => {
  test.each<[string, Bag, string[]]>([
    ['of the textbook', {}, []],
    ['on Solana', SOLANA, []],
    ['in a symbol', { asset: 'USDC' }, ['v2-asset-shape']],
    ['in no asset', { asset: undefined }, ['v2-asset-shape']],
    ['in a CAIP-19 id', { asset: `eip155:8453/erc20:${BASE_USDC}` }, ['v2-asset-shape']],
    [
      'in a CAIP-19 id on Solana',
      { ...SOLANA, asset: `${MAINNET}/token:${SOLANA.asset}` },
      ['v2-asset-shape'],
    ],
    ['in a mint of 31 bytes', { ...SOLANA, asset: `1${'z'.repeat(40)}` }, ['v2-asset-shape']],
    ['in small letters', { asset: BASE_USDC.toLowerCase() }, ['v2-asset-checksum']],
    ['in letters of the wrong case', { asset: BASE_USDC.replace('fCD', 'fcd') }, ['v2-asset-checksum']],
    ['in another token', { asset: EURC }, ['v2-asset-default']],
    ['in the token of a test network', { asset: SEPOLIA_USDC }, ['v2-asset-network']],
    ['in the token of a main network on a test network', { network: 'eip155:84532' }, ['v2-asset-network']],
    ['in the mint of a test network', { ...SOLANA, asset: DEVNET_USDC }, ['v2-asset-network']],
    ['in USDT0 of X Layer', { network: 'eip155:196', asset: USDT0 }, ['v2-asset-default']],
    ['in USDT0 of a network it is not known on', { asset: USDT0 }, ['v2-asset-default']],
    ['paid to an EVM address on Solana', { ...SOLANA, payTo: PAY_TO }, ['v2-payto-shape']],
    ['paid to a wallet of 31 bytes', { ...SOLANA, payTo: `1${'z'.repeat(40)}` }, ['v2-payto-shape']],
    ['paid to nobody', { payTo: '' }, ['v2-payto-shape']],
    ['paid to a role', { payTo: 'merchant' }, ['v2-payto-shape']],
    [
      'paid to a role by upto, whose client needs an address',
      { scheme: 'upto', payTo: 'merchant' },
      ['v2-payto-shape'],
    ],
    ['paid to a role by a scheme of its own', { scheme: 'deferred', payTo: 'merchant' }, []],
    ['paid to small letters', { payTo: PAY_TO.toLowerCase() }, ['v2-payto-checksum']],
    [
      'paid to letters of the wrong case',
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
      'paid to its token in other letters',
      { payTo: BASE_USDC.toLowerCase() },
      ['v2-payto-checksum', 'v2-payto-is-asset'],
    ],
    ['paid to its mint', { ...SOLANA, payTo: SOLANA.asset }, ['v2-payto-is-asset']],
    ['with a timeout as text', { maxTimeoutSeconds: '60' }, ['v2-timeout-number']],
    ['with a timeout of zero', { maxTimeoutSeconds: 0 }, ['v2-timeout-number']],
    ['with a timeout in parts of a second', { maxTimeoutSeconds: 60.5 }, ['v2-timeout-number']],
    ['without a timeout', { maxTimeoutSeconds: undefined }, ['v2-timeout-number']],
    ['with no time to pay', { maxTimeoutSeconds: 9 }, ['v2-timeout-range']],
    ['with a day to pay', { maxTimeoutSeconds: 86_400 }, ['v2-timeout-range']],
    ['with ten seconds to pay', { maxTimeoutSeconds: 10 }, []],
    ['with an hour to pay', { maxTimeoutSeconds: 3_600 }, []],
  ])('%s', (_, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  test.each<[string, Bag, string]>([
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
    expect(resultOf(readV2(change), id)).toBe(result);
  });

  test('in a stray token is told where the token belongs', () => {
    expect(checkOf(readV2({ asset: SEPOLIA_USDC }), 'v2-asset-network').message).toContain(
      'USDC of eip155:84532',
    );
  });
});

describe('many options', () => {
  test('with one fault make one finding that counts them', () => {
    const accepts = Array.from({ length: 40 }, () => v2Option({ maxTimeoutSeconds: null }));
    const challenge = readChallenge(v2Response(v2Envelope({ accepts: [v2Option(), ...accepts] })));
    expect(checkOf(challenge, 'v2-timeout-number').message).toContain('(accepts[1]; 40 of 41 options)');
  });

  test('are looked at up to the sixty-fourth', () => {
    const accepts = Array.from({ length: 64 }, () => v2Option());
    const challenge = readChallenge(
      v2Response(v2Envelope({ accepts: [...accepts, v2Option({ payTo: '0xbad' })] })),
    );
    expect(challenge.options).toHaveLength(64);
    expect(resultOf(challenge, 'v2-payto-shape')).toBe('pass');
  });
});

describe('a token stock clients do not trust', () => {
  const check = (...accepts: Bag[]): ReturnType<typeof checkOf> =>
    checkOf(readChallenge(v2Response(v2Envelope({ accepts }))), 'v2-asset-default');

  test('is a warning beside one they do, and an error where nothing else is offered', () => {
    const eurc = v2Option({ asset: EURC, extra: { name: 'EURC', version: '2' } });
    expect(check(v2Option(), eurc)).toMatchObject({ result: 'fail', severity: 'warning' });
    expect(check(eurc)).toMatchObject({ result: 'fail', severity: 'error' });
  });

  test('is an error by name when it calls itself USDC', () => {
    const fake = v2Option({ asset: EURC, extra: { name: 'USDC', version: '2' } });
    const finding = check(v2Option(), fake);
    expect(finding).toMatchObject({ result: 'fail', severity: 'error' });
    expect(finding.message).toContain(`calls itself USDC and is not: on "eip155:8453" that is ${BASE_USDC}`);
  });
});
