import { createHash } from 'node:crypto';

/** What a draw decides; each purpose has its own stream, so that a slow answer is not also a failing one. */
export type DrawPurpose =
  'latency' | 'failure' | 'failure-mode' | 'item-price' | 'call-count' | 'call-time' | 'call-buyer';

const PURPOSE_SALT: Readonly<Record<DrawPurpose, number>> = {
  latency: 0x51ed270b,
  failure: 0x2545f491,
  'failure-mode': 0x6c078965,
  'item-price': 0x7feb352d,
  'call-count': 0x68e31da4,
  'call-time': 0x1b56c4e9,
  'call-buyer': 0x3c6ef372,
};

/** The 32-bit key of a name in the world of a seed. */
export const drawKey = (seed: string, name: string): number =>
  createHash('sha256').update(`${seed}\n${name}`).digest().readUInt32BE(0);

/** MurmurHash3's finalizer: every input bit reaches every output bit. */
const mix = (value: number): number => {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

/**
 * The number in [0, 1) that chance gives an endpoint at one moment; the same arguments always give the same one.
 * @param key from {@link drawKey}
 * @param step what the draw depends on: a whole number, such as the world's second
 */
export const drawAt = (key: number, purpose: DrawPurpose, step: number): number => {
  const low = step >>> 0;
  const high = Math.floor(step / 2 ** 32) >>> 0;
  return mix(mix(mix(key ^ PURPOSE_SALT[purpose]) ^ low) ^ high) / 2 ** 32;
};
