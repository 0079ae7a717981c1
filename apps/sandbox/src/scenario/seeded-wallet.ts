import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';

function digest(seed: string, label: string): Buffer {
  return createHash('sha256').update(`${seed}\nwallet\n${label}`).digest();
}

/**
 * Derives a wallet address from the seed. The address is a hash, so no private key is known.
 * @param label name of the wallet in the scenario
 * @param network CAIP-2 id. It determines the format: 32 bytes in base58 for Solana, and otherwise a lower-case EVM
 * address
 */
export function deriveWalletAddress(seed: string, label: string, network: string): string {
  const bytes = digest(seed, label);
  return network.startsWith('solana:') ? base58.encode(bytes) : `0x${bytes.subarray(0, 20).toString('hex')}`;
}
