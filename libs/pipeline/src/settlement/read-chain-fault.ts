import { readNewestBlock } from '@touchstone/chain';
import type { ChainSource } from './chain-source.ts';

/**
 * Finds out if an EVM network cannot be read, or makes no blocks. Other networks are not checked.
 *
 * @param maxBlockAgeMs maximum age of the newest block, in milliseconds; null for a chain that makes blocks on demand
 * @returns the fault in words that follow the name of the network, or null without a fault
 */
export async function readChainFault(
  { providers }: ChainSource,
  { maxBlockAgeMs, now }: { readonly maxBlockAgeMs: number | null; readonly now: number },
): Promise<string | null> {
  if (!providers.network.startsWith('eip155:')) return null;
  try {
    const { at } = await readNewestBlock(providers);
    if (maxBlockAgeMs === null || now - at <= maxBlockAgeMs) return null;
    return `lags: its newest block is ${Math.floor((now - at) / 60_000)} minutes old`;
  } catch (error) {
    return `does not respond (${error instanceof Error ? error.message : String(error)})`;
  }
}
