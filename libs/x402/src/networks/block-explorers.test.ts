import * as chains from 'viem/chains';
import { describe, expect, test } from 'vitest';
import { PAY_TO } from '../testing/fixtures.ts';
import { toExplorerUrl, toTransactionUrl } from './block-explorers.ts';
import { NETWORKS } from './network-table.ts';

const SOLANA = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

describe('toExplorerUrl', () => {
  test('returns the page of an address in the block explorer that viem names', () => {
    const explorers = new Map(
      Object.values(chains).map((chain) => [`eip155:${chain.id}`, chain.blockExplorers?.default.url]),
    );
    const urls = Object.keys(NETWORKS)
      .filter((id) => id.startsWith('eip155:'))
      .flatMap((id) => {
        const url = toExplorerUrl(id, PAY_TO);
        return url === null ? [] : [[id, url] as const];
      });
    expect(urls.length).toBeGreaterThan(20);
    for (const [id, url] of urls) expect(url).toBe(`${explorers.get(id)}/address/${PAY_TO}`);
  });

  test('keeps the query that selects a Solana network', () => {
    expect(toExplorerUrl(`solana:${SOLANA}`, MINT)).toBe(`https://explorer.solana.com/address/${MINT}`);
    expect(toExplorerUrl('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', MINT)).toBe(
      `https://explorer.solana.com/address/${MINT}?cluster=devnet`,
    );
  });

  test.each([
    ['eip155:999999', PAY_TO],
    ['__proto__', PAY_TO],
    ['stellar:pubnet', PAY_TO],
    ['eip155:8453', 'not-an-address'],
    ['eip155:8453', `${PAY_TO}/../../tx`],
    [`solana:${SOLANA}`, PAY_TO],
  ])('returns null on %s for %s', (network, address) => {
    expect(toExplorerUrl(network, address)).toBeNull();
  });
});

describe('toTransactionUrl', () => {
  const HASH = `0x${'7d'.repeat(32)}`;

  test('returns the page of a transaction', () => {
    expect(toTransactionUrl('eip155:8453', HASH)).toBe(`https://basescan.org/tx/${HASH}`);
    expect(toTransactionUrl('eip155:196', HASH)).toBe(`https://www.oklink.com/xlayer/tx/${HASH}`);
  });

  test.each([
    ['eip155:999999', HASH],
    [`solana:${SOLANA}`, HASH],
    ['eip155:8453', PAY_TO],
    ['eip155:8453', `${HASH}/..`],
  ])('returns null on %s for %s', (network, transaction) => {
    expect(toTransactionUrl(network, transaction)).toBeNull();
  });
});
