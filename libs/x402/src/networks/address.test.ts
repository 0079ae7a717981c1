import fc from 'fast-check';
import { getAddress } from 'viem';
import { describe, expect, test, it } from 'vitest';
import {
  checkAssetFormat,
  readCaip19Reference,
  verifyChecksum,
  isBase58Address,
  isBurnAddress,
  checkPayToFormat,
  shortenAddress,
} from './address.ts';
import { getNamespace } from './networks.ts';
import { BASE_USDC, PAY_TO } from '../testing/fixtures.ts';

const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const evmAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}` as const);

describe('verifyChecksum', () => {
  test.each([
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'valid'],
    ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', 'valid'],
    ['0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB', 'valid'],
    [BASE_USDC, 'valid'],
    [PAY_TO, 'valid'],
    [`0x${'0'.repeat(40)}`, 'valid'],
    ['0x52908400098527886E0F7030069857D2E4169EE7', 'valid'],
    [BASE_USDC.toLowerCase(), 'none'],
    [`0x${BASE_USDC.slice(2).toUpperCase()}`, 'none'],
    [BASE_USDC.replace('fCD', 'fcD'), 'invalid'],
  ])('%s: %s', (address, result) => {
    expect(verifyChecksum(address)).toBe(result);
  });

  test('agrees with viem on random addresses, and detects one letter of the wrong case', () => {
    fc.assert(
      fc.property(evmAddress, fc.nat(39), (address, nth) => {
        const checksummed = getAddress(address);
        expect(verifyChecksum(checksummed)).toBe('valid');
        const letter = checksummed.charAt(nth + 2);
        const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const wrong = `${checksummed.slice(0, nth + 2)}${flipped}${checksummed.slice(nth + 3)}`;
        if (wrong !== checksummed) expect(verifyChecksum(wrong)).not.toBe('valid');
      }),
    );
  });
});

test('a Solana address is base58 of exactly 32 bytes', () => {
  expect(isBase58Address(MINT)).toBe(true);
  expect(isBase58Address('1'.repeat(32))).toBe(true);
  for (const other of [
    '1'.repeat(31),
    '1'.repeat(33),
    `1${'z'.repeat(40)}`,
    'z'.repeat(44),
    `${MINT}0`,
    '',
    7,
    null,
  ]) {
    expect(isBase58Address(other)).toBe(false);
  }
});

describe('checkAssetFormat', () => {
  test.each([
    ['eip155:8453', BASE_USDC, 'valid'],
    ['eip155:8453', BASE_USDC.toLowerCase(), 'valid'],
    ['eip155:8453', `eip155:8453/erc20:${BASE_USDC}`, 'caip19'],
    ['eip155:8453', `eip155:1/erc20:${BASE_USDC}`, 'invalid'],
    ['eip155:8453', `eip155:8453/erc721:${BASE_USDC}`, 'invalid'],
    ['eip155:8453', 'eip155:8453/erc20:USDC', 'invalid'],
    ['eip155:8453', MINT, 'invalid'],
    ['eip155:8453', `${BASE_USDC}\n`, 'invalid'],
    [MAINNET, MINT, 'valid'],
    [MAINNET, `${MAINNET}/token:${MINT}`, 'caip19'],
    [MAINNET, BASE_USDC, 'invalid'],
    ['algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k', '31566704', 'valid'],
    ['stellar:pubnet', 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75', 'valid'],
    ['stellar:pubnet', 'stellar:pubnet/:C', 'invalid'],
    ['hedera:testnet', '0.0.429274', 'unknown'],
    ['base', BASE_USDC, 'unknown'],
    ['', '', 'unknown'],
    ['__proto__:1', 'constructor', 'unknown'],
  ])('%s %s: %s', (network, asset, format) => {
    expect(checkAssetFormat(network, asset)).toBe(format);
  });
});

test('checkPayToFormat depends on the network', () => {
  expect(checkPayToFormat('eip155:1', PAY_TO)).toBe('valid');
  expect(checkPayToFormat(MAINNET, PAY_TO)).toBe('invalid');
  expect(checkPayToFormat('stellar:pubnet', `G${'A'.repeat(55)}`)).toBe('valid');
  expect(checkPayToFormat('algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k', 'A'.repeat(58))).toBe('valid');
  expect(checkPayToFormat('card:visa', 'merchant')).toBe('unknown');
});

test('readCaip19Reference accepts only a non-empty token id of the same network', () => {
  expect(readCaip19Reference('eip155:8453', 'eip155:8453/erc20:0xab')).toBe('0xab');
  expect(readCaip19Reference('eip155:8453', 'eip155:8453/erc20:')).toBeNull();
  expect(readCaip19Reference('eip155:845', 'eip155:8453/erc20:0xab')).toBeNull();
  expect(readCaip19Reference('eip155:1', 'eip155:1/slip44:60')).toBeNull();
  expect(readCaip19Reference('hedera:testnet', 'hedera:testnet/token:0.0.1')).toBeNull();
});

test('isBurnAddress ignores the case of EVM addresses, and knows reserved addresses', () => {
  expect(isBurnAddress(`0x${'0'.repeat(36)}DEAD`)).toBe(true);
  expect(isBurnAddress('1'.repeat(32))).toBe(true);
  expect(isBurnAddress(`0xdEaD${'0'.repeat(16)}42069420694206942069`)).toBe(true);
  expect(isBurnAddress(`0x${'0'.repeat(39)}1`)).toBe(true);
  expect(isBurnAddress(`0x${'0'.repeat(37)}100`)).toBe(true);
  // Addresses of the accounts 0.0.1001 and 0.0.65535 on Hedera.
  expect(isBurnAddress(`0x${'0'.repeat(37)}3e9`)).toBe(false);
  expect(isBurnAddress(`0x${'0'.repeat(36)}ffff`)).toBe(false);
  expect(isBurnAddress(PAY_TO)).toBe(false);
});

test('getNamespace returns the part before the colon', () => {
  expect(getNamespace('eip155:8453')).toBe('eip155');
  expect(getNamespace('base')).toBe('');
});

describe('shortenAddress', () => {
  it('keeps the beginning and the end', () => {
    expect(shortenAddress('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')).toBe('0x8335…2913');
  });

  it.each(['', '0x0', '0x833589fCD6eD'])('returns %j unchanged', (address) => {
    expect(shortenAddress(address)).toBe(address);
  });

  it('does not split a character', () => {
    expect(shortenAddress('😀'.repeat(20)).isWellFormed()).toBe(true);
  });
});
