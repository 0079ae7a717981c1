import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';

/**
 * One salt for each purpose of random numbers. Because of the salt, each purpose has its own sequence: latency and
 * failures, for example, are independent.
 */
const PURPOSE_SALT = {
  latency: 0x51ed270b,
  failure: 0x2545f491,
  'failure-mode': 0x6c078965,
  'item-price': 0x7feb352d,
  'call-count': 0x68e31da4,
  'call-time': 0x1b56c4e9,
  'call-buyer': 0x3c6ef372,
};
type RandomPurpose = keyof typeof PURPOSE_SALT;

/** Returns a 32-bit key for a seed and a name. */
export function deriveRandomKey(seed: string, name: string): number {
  return createHash('sha256').update(`${seed}\n${name}`).digest().readUInt32BE(0);
}

/** Mixes 32 bits with the finalizer of MurmurHash3: every input bit affects every output bit. */
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Returns a pseudo-random number in [0, 1). The same arguments always give the same number.
 * @param key from {@link deriveRandomKey}
 * @param step position in the sequence: a whole number, such as the simulated time in seconds
 */
export function drawRandom(key: number, purpose: RandomPurpose, step: number): number {
  const low = step >>> 0;
  const high = Math.floor(step / 2 ** 32) >>> 0;
  return mix(mix(mix(key ^ PURPOSE_SALT[purpose]) ^ low) ^ high) / 2 ** 32;
}

/**
 * Derives a wallet address from the seed. The address is a hash, so no private key is known.
 * @param label name of the wallet in the scenario
 * @param network CAIP-2 id, which determines the address format: 32 bytes in base58 for Solana, and otherwise a
 * lower-case EVM address
 */
export function deriveWalletAddress(seed: string, label: string, network: string): string {
  const bytes = createHash('sha256').update(`${seed}\nwallet\n${label}`).digest();
  return network.startsWith('solana:') ? base58.encode(bytes) : `0x${bytes.subarray(0, 20).toString('hex')}`;
}
