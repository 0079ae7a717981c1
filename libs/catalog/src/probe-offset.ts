import { createHash } from 'node:crypto';

/**
 * When in the interval an endpoint is probed: the same every time, and spread evenly over all endpoints, so that
 * probes neither bunch up nor wander.
 *
 * @param id - The id of the endpoint.
 * @param intervalSeconds - A whole number of seconds, at least one.
 * @returns Whole seconds from the start of the interval, below its length.
 * @throws RangeError when the interval is not such a number.
 */
export function probeOffsetSeconds(id: string, intervalSeconds: number): number {
  if (!Number.isSafeInteger(intervalSeconds) || intervalSeconds < 1) {
    throw new RangeError(`an interval of ${intervalSeconds} seconds is not a whole number of at least one`);
  }
  // The id is a hash itself, but of other things than endpoints it might not be.
  const hash = createHash('sha256').update(`probe offset of ${id}`).digest();
  return Number(hash.readBigUInt64BE() % BigInt(intervalSeconds));
}
