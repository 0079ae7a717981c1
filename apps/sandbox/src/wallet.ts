import { createHash } from 'node:crypto';
import { base58 } from './base58.ts';

const digestOf = (seed: string, label: string): Buffer =>
  createHash('sha256').update(`${seed}\nwallet\n${label}`).digest();

/**
 * The address of a wallet that nobody holds a key to, derived from the world's seed.
 * @param label the wallet's name in the scenario
 * @param network CAIP-2 id; Solana gets 32 bytes in base58, every other network an all-lower-case EVM address
 */
export const walletAddress = (seed: string, label: string, network: string): string => {
  const digest = digestOf(seed, label);
  return network.startsWith('solana:') ? base58(digest) : `0x${digest.subarray(0, 20).toString('hex')}`;
};
