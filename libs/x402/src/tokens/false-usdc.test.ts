import { expect, test } from 'vitest';
import { BASE_USDC } from '../testing/fixtures.ts';
import { isFalseUsdc } from './false-usdc.ts';

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
  expect(isFalseUsdc({ network, asset, names })).toBe(true);
});

test.each([
  ['the canonical contract', base, BASE_USDC, ['USD Coin']],
  ['the canonical contract in capitals', base, BASE_USDC.toUpperCase().replace('0X', '0x'), ['USDC']],
  ['the canonical contract as a CAIP-19 id', base, `${base}/erc20:${BASE_USDC}`, ['USD Coin']],
  ['the canonical mint', solana, mint, ['USDC']],
  ['a token that claims nothing', base, OTHER, ['Euro Coin', undefined]],
  ['a token whose name only contains the word', base, OTHER, ['Bridged USDC']],
  ['a claim that is no text', base, OTHER, [{ toString: 'USDC' }, 7, null]],
  ['a network whose USDC is not known', 'eip155:196', OTHER, ['USDC']],
  ['the symbol in the place of the address', base, 'USDC', ['USDC']],
  ['no asset', base, '', ['USDC']],
])('%s is not false USDC', (...[, network, asset, names]) => {
  expect(isFalseUsdc({ network, asset, names })).toBe(false);
});
