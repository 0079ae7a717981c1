import { DEFAULT_ASSETS as EVM_ASSETS } from '@x402/evm';
import { DEFAULT_ASSETS as SOLANA_ASSETS } from '@x402/svm';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BASE_USDC } from '../testing/fixtures.ts';
import { toCaip2, TOKENS, findCanonicalUsdc } from './networks.ts';
import { verifyChecksum } from './address.ts';
import { toBareAsset, findTokenOfOtherNetwork, findToken, isKnownNetwork, isFalseUsdc } from './tokens.ts';

describe('findToken', () => {
  test('finds an EVM token in any case, and as a CAIP-19 id', () => {
    for (const asset of [BASE_USDC, BASE_USDC.toLowerCase(), `eip155:8453/erc20:${BASE_USDC}`]) {
      expect(findToken('eip155:8453', asset)).toMatchObject({
        symbol: 'USDC',
        decimals: 6,
        domain: { name: 'USD Coin', version: '2' },
        isCanonicalUsdc: true,
        isClientDefault: true,
      });
    }
  });

  test('does not find an EVM token on another network, or a Solana mint in another case', () => {
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    const solana = toCaip2('solana');
    expect(findToken('eip155:1', BASE_USDC)).toBeNull();
    expect(findToken(solana, mint)?.symbol).toBe('USDC');
    expect(findToken(solana, mint.toLowerCase())).toBeNull();
  });

  test('finds a token that no client pays in by default', () => {
    expect(findToken('eip155:196', '0x779ded0c9e1022225f8e0630b35a9b54be713736')).toMatchObject({
      symbol: 'USDT0',
      decimals: 6,
      domain: { name: 'USD₮0', version: '1' },
      isClientDefault: false,
    });
  });
});

test('a network can have a token but no USDC', () => {
  expect(findCanonicalUsdc('eip155:988')).toBeNull();
  expect(isKnownNetwork('eip155:988')).toBe(true);
  expect(isKnownNetwork('eip155:42161')).toBe(true);
  expect(isKnownNetwork('sapiom:main')).toBe(false);
});

test('toBareAsset reads CAIP-19 asset ids of the given network only', () => {
  expect(toBareAsset('eip155:8453', 'eip155:8453/erc20:0xab')).toBe('0xab');
  expect(toBareAsset('eip155:1', 'eip155:8453/erc20:0xab')).toBe('eip155:8453/erc20:0xab');
  expect(toBareAsset('eip155:1', 'eip155:1/slip44')).toBe('eip155:1/slip44');
});

describe('findTokenOfOtherNetwork', () => {
  const sepoliaUsdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';

  test('finds the token of another network', () => {
    expect(findTokenOfOtherNetwork('eip155:8453', sepoliaUsdc.toLowerCase())?.network).toBe('eip155:84532');
    expect(
      findTokenOfOtherNetwork('eip155:43114', '0x5425890298aed601595a70AB815c96711a31Bc65')?.network,
    ).toBe('eip155:43113');
    expect(
      findTokenOfOtherNetwork(toCaip2('solana-devnet'), 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
        ?.network,
    ).toBe(toCaip2('solana'));
  });

  test('returns null for a token of the same network, an unknown or bridged token, and another namespace', () => {
    expect(findTokenOfOtherNetwork('eip155:84532', sepoliaUsdc)).toBeNull();
    expect(findTokenOfOtherNetwork('eip155:8453', '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42')).toBeNull();
    expect(findTokenOfOtherNetwork(toCaip2('solana'), sepoliaUsdc)).toBeNull();
    // USDT0 has the same address on several networks, so the address does not indicate a mistake.
    expect(findTokenOfOtherNetwork('eip155:57073', '0x779Ded0c9e1022225f8E0630b35a9b54bE713736')).toBeNull();
  });
});

describe('the token table', () => {
  test('has only valid checksums, and each token once', () => {
    const onEvm = TOKENS.filter(({ network }) => network.startsWith('eip155:'));
    expect(onEvm.filter(({ asset }) => verifyChecksum(asset) === 'invalid')).toEqual([]);
    expect(new Set(TOKENS.map(({ network, asset }) => `${network} ${asset.toLowerCase()}`)).size).toBe(
      TOKENS.length,
    );
  });

  test('agrees with the default assets of the reference clients', () => {
    for (const [network, assets] of Object.entries(EVM_ASSETS)) {
      for (const { asset, symbol, decimals, name, version, assetTransferMethod } of assets) {
        const isPermit2Only = assetTransferMethod === 'permit2';
        const expected = {
          asset,
          symbol,
          decimals,
          domain: { name, version },
          isPermit2Only,
          isClientDefault: true,
        };
        expect(findToken(network, asset)).toMatchObject(expected);
      }
    }
    for (const [network, assets] of Object.entries(SOLANA_ASSETS)) {
      for (const { asset, symbol, decimals } of assets) {
        const expected = { asset, symbol, decimals, domain: null, isClientDefault: true };
        expect(findToken(network, asset)).toMatchObject(expected);
      }
    }
  });

  test('has only defaults of the reference clients', () => {
    const inClients = new Set(
      Object.entries({ ...EVM_ASSETS, ...SOLANA_ASSETS }).flatMap(([network, assets]) =>
        assets.map(({ asset }) => `${network} ${asset}`),
      ),
    );
    const others = TOKENS.filter(
      ({ network, asset, isClientDefault }) =>
        isClientDefault && /^(eip155|solana):/.test(network) && !inClients.has(`${network} ${asset}`),
    );
    expect(others).toEqual([]);
  });
});

const Facts = z.object({
  v1NameToCaip2: z.record(z.string(), z.string()),
  v1UsdcConfig: z.record(
    z.string(),
    z.object({ usdcAddress: z.string(), usdcName: z.string(), decimals: z.number() }),
  ),
});

const factsFile = join(process.env['REAL_DATA_DIR'] ?? '', 'networks.json');
const hasFacts = process.env['REAL_DATA_DIR'] !== undefined && existsSync(factsFile);

describe.skipIf(!hasFacts)(
  'the tables agree with recorded client tables (skipped: REAL_DATA_DIR has no networks.json)',
  () => {
    const read = (): z.infer<typeof Facts> => Facts.parse(JSON.parse(readFileSync(factsFile, 'utf8')));

    test('version 1 network names', () => {
      for (const [name, caip2] of Object.entries(read().v1NameToCaip2)) expect(toCaip2(name)).toBe(caip2);
    });

    test('USDC addresses of version 1', () => {
      for (const [key, { usdcAddress, usdcName, decimals }] of Object.entries(read().v1UsdcConfig)) {
        const token = findToken(toCaip2(key), usdcAddress);
        expect(token).toMatchObject({ decimals, isCanonicalUsdc: true });
        if (token?.domain) expect(token.domain.name).toBe(usdcName);
      }
    });
  },
);

const OTHER = '0x1111111111111111111111111111111111111111';
const base = 'eip155:8453';
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

test.each([
  ['another contract that claims USDC', base, OTHER, ['USDC']],
  ['another contract that claims USD Coin', base, OTHER, ['USD Coin']],
  ['the claim in small letters and spaces', base, OTHER, [undefined, ' usdc ']],
  ['the USDC of another network', base, '0x036CbD53842c5426634e7929541eC2318f3dCF7e', ['USDC']],
  ['another contract as a CAIP-19 id', base, `${base}/erc20:${OTHER}`, ['USDC']],
  ['another mint', solana, 'So11111111111111111111111111111111111111112', ['USDC']],
])('%s is false USDC', (...[, network, asset, names]) => {
  const [name, symbol] = names;
  expect(isFalseUsdc({ network, asset, extra: { name, symbol } })).toBe(true);
});

test.each([
  ['the canonical contract', base, BASE_USDC, ['USD Coin']],
  ['the canonical contract in capitals', base, BASE_USDC.toUpperCase().replace('0X', '0x'), ['USDC']],
  ['the canonical contract as a CAIP-19 id', base, `${base}/erc20:${BASE_USDC}`, ['USD Coin']],
  ['the canonical mint', solana, mint, ['USDC']],
  ['a token that claims nothing', base, OTHER, ['Euro Coin', undefined]],
  ['a token whose name only contains the word', base, OTHER, ['Bridged USDC']],
  ['a claim that is no text', base, OTHER, [{ toString: 'USDC' }, 7]],
  ['a network whose USDC is not known', 'eip155:196', OTHER, ['USDC']],
  ['the symbol in the place of the address', base, 'USDC', ['USDC']],
  ['no asset', base, '', ['USDC']],
])('%s is not false USDC', (...[, network, asset, names]) => {
  const [name, symbol] = names;
  expect(isFalseUsdc({ network, asset, extra: { name, symbol } })).toBe(false);
});
