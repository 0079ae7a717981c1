import { MINUTE_MS } from '@touchstone/common';
import { claimDueEndpoints, type ClaimedEndpoint, type Observation } from '../index.ts';
import { makeEndpoint, makeObservation, T0, type TestDatabase } from './fixtures.ts';

interface Claim {
  readonly owner?: string;
  readonly limit?: number;
  readonly leaseSeconds?: number;
  readonly hostLimit?: number;
  readonly hostPerSecond?: number;
  readonly rechecksOnly?: boolean;
}

/**
 * Returns test functions for the hosts with the suffix `.<name>.test`. Other tests in the shared database do not claim
 * slots of these hosts.
 */
export function openHosts(database: TestDatabase, name: string, claimEveryMs = 5 * MINUTE_MS) {
  const host = (label: string): string => `${label}.${name}.test`;
  const addAll = (ids: readonly string[], toLabel: (id: string) => string) =>
    database.discover(
      `${name} ${ids[0] ?? ''}`,
      T0,
      ids.map((id) => makeEndpoint(id, { host: host(toLabel(id)), resource: `https://${id}.test/` })),
    );
  const add = (id: string) => addAll([id], () => id);
  const claim = (now: number, options: Claim = {}): Promise<readonly ClaimedEndpoint[]> =>
    claimDueEndpoints(database.db, {
      owner: 'w',
      limit: 500,
      leaseSeconds: 60,
      hostSuffix: `.${name}.test`,
      now,
      ...options,
    });
  /**
   * Claims and records all slots between two times, with one claim every `claimEveryMs`. Returns the times of the probed
   * slots.
   */
  const probeAll = async (from: number, to: number, extra: Partial<Observation> = {}): Promise<number[]> => {
    const probed: number[] = [];
    for (let now = from; now < to; now += claimEveryMs) {
      const slots = await claim(now);
      probed.push(...slots.map((slot) => slot.slotAt));
      if (slots.length === 0) continue;
      // The observations are recorded two minutes late, so that no failed probe is rechecked.
      await database.record(
        slots.map((slot) => makeObservation(slot.endpointId, now, { slotAt: slot.slotAt, ...extra })),
        now + 2 * MINUTE_MS,
      );
    }
    return probed;
  };
  return { host, add, addAll, claim, probeAll };
}
