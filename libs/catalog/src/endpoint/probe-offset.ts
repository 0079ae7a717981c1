import { createHash } from 'node:crypto';

/**
 * Computes the offset of an endpoint's probes from the start of each probe interval. An endpoint always has the same
 * offset, and the offsets of all endpoints are spread evenly over the interval.
 *
 * @param id - The id of the endpoint.
 * @param intervalSeconds - A whole number of seconds, at least one.
 * @returns Whole seconds from the start of the interval, less than its length.
 * @throws RangeError when the interval is not a whole number of at least one.
 */
export function computeProbeOffsetSeconds(id: string, intervalSeconds: number): number {
  if (!Number.isSafeInteger(intervalSeconds) || intervalSeconds < 1) {
    throw new RangeError(`an interval of ${intervalSeconds} seconds is not a whole number of at least one`);
  }
  // The id is hashed, because ids need not be evenly distributed.
  const hash = createHash('sha256').update(`probe offset of ${id}`).digest();
  return Number(hash.readBigUInt64BE() % BigInt(intervalSeconds));
}
