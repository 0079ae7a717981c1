import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BASE_USDC } from './test-fixtures.ts';
import { caip2Of } from './networks.ts';
import { bareAsset, canonicalUsdc, findToken, isKnownNetwork } from './tokens.ts';

describe('findToken', () => {
  test('finds an EVM token in any case, and as a CAIP-19 id', () => {
    for (const asset of [BASE_USDC, BASE_USDC.toLowerCase(), `eip155:8453/erc20:${BASE_USDC}`]) {
      expect(findToken('eip155:8453', asset)).toMatchObject({
        symbol: 'USDC',
        decimals: 6,
        domain: { name: 'USD Coin', version: '2' },
        canonicalUsdc: true,
        clientDefault: true,
      });
    }
  });

  test('does not find it on another network, nor a mint in another case', () => {
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    const solana = caip2Of('solana');
    expect(findToken('eip155:1', BASE_USDC)).toBeNull();
    expect(findToken(solana, mint)?.symbol).toBe('USDC');
    expect(findToken(solana, mint.toLowerCase())).toBeNull();
  });

  test('never assumes six decimals', () => {
    expect(findToken('eip155:4326', '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7')?.decimals).toBe(18);
    expect(
      findToken('stellar:pubnet', 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75')?.decimals,
    ).toBe(7);
    expect(findToken('eip155:196', '0x779ded0c9e1022225f8e0630b35a9b54be713736')).toBeNull();
  });
});

test('the test network signs under another name than the main network', () => {
  expect(canonicalUsdc('eip155:8453')?.domain?.name).toBe('USD Coin');
  expect(canonicalUsdc('eip155:84532')?.domain?.name).toBe('USDC');
});

test('a network without USDC has none, though it has a token', () => {
  expect(canonicalUsdc('eip155:988')).toBeNull();
  expect(isKnownNetwork('eip155:988')).toBe(true);
  expect(isKnownNetwork('eip155:42161')).toBe(true);
  expect(isKnownNetwork('sapiom:main')).toBe(false);
});

test('bareAsset strips the network it is given and no other', () => {
  expect(bareAsset('eip155:8453', 'eip155:8453/erc20:0xab')).toBe('0xab');
  expect(bareAsset('eip155:1', 'eip155:8453/erc20:0xab')).toBe('eip155:8453/erc20:0xab');
  expect(bareAsset('eip155:1', 'eip155:1/slip44')).toBe('eip155:1/slip44');
});

const Facts = z.object({
  v1NameToCaip2: z.record(z.string(), z.string()),
  defaultAssets: z.record(
    z.string(),
    z.array(
      z.object({
        asset: z.string(),
        symbol: z.string(),
        decimals: z.number(),
        name: z.string().optional(),
        version: z.string().optional(),
      }),
    ),
  ),
  v1UsdcConfig: z.record(
    z.string(),
    z.object({ usdcAddress: z.string(), usdcName: z.string(), decimals: z.number() }),
  ),
});

const factsFile = join(process.env['REAL_DATA_DIR'] ?? '', 'networks.json');
const hasFacts = process.env['REAL_DATA_DIR'] !== undefined && existsSync(factsFile);

describe.skipIf(!hasFacts)(
  'the tables agree with the recorded ones (skipped: REAL_DATA_DIR has no networks.json)',
  () => {
    const read = (): z.infer<typeof Facts> => Facts.parse(JSON.parse(readFileSync(factsFile, 'utf8')));

    test('names', () => {
      for (const [name, caip2] of Object.entries(read().v1NameToCaip2)) expect(caip2Of(name)).toBe(caip2);
    });

    test('default assets', () => {
      for (const [network, assets] of Object.entries(read().defaultAssets)) {
        for (const { asset, symbol, decimals, name, version } of assets) {
          const domain = name === undefined ? null : { name, version };
          expect(findToken(network, asset)).toMatchObject({
            asset,
            symbol,
            decimals,
            domain,
            clientDefault: true,
          });
        }
      }
    });

    test('USDC of version 1', () => {
      for (const [key, { usdcAddress, usdcName, decimals }] of Object.entries(read().v1UsdcConfig)) {
        const token = findToken(caip2Of(key), usdcAddress);
        expect(token).toMatchObject({ decimals, canonicalUsdc: true });
        if (token?.domain) expect(token.domain.name).toBe(usdcName);
      }
    });
  },
);
