import {
  claimDeliveries,
  recordDeliveries,
  type ClaimedDelivery,
  type DeliveryAttempt,
  type NewDestination,
} from '../index.ts';
import type { RecordedDeliveries } from '../watches/deliveries.ts';
import { makeObservation, makeTerms, T0, type TestDatabase } from './fixtures.ts';
import { openWatches } from './watches.ts';

/** Returns a successful attempt for a claimed delivery. */
export function toAttempt(delivery: ClaimedDelivery, extra: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  return {
    destinationId: delivery.destinationId,
    firstSequence: delivery.firstSequence,
    lastSequence: delivery.lastSequence,
    at: T0,
    durationMs: 12.5,
    phase: null,
    httpStatus: 200,
    reply: 'ok',
    error: null,
    outcome: 'delivered',
    nextAttemptAt: null,
    ...extra,
  };
}

export const failed = { phase: 'response', httpStatus: 500, error: 'http-500' } as const;

/** Returns test actions on the deliveries of a database. */
export function openDeliveries(database: TestDatabase) {
  const watches = openWatches(database);
  const claim = (now: number, owner = 'w', { limit = 100, slowLimit = 100 } = {}) =>
    claimDeliveries(database.db, { owner, now, leaseSeconds: 60, limit, slowLimit });
  const record = (
    attempts: readonly DeliveryAttempt[],
    now: number,
    owner = 'w',
  ): Promise<RecordedDeliveries> =>
    recordDeliveries(database.db, { owner, now, disableAfterSeconds: 432_000, attempts });
  /**
   * Claims all due deliveries and records one outcome for all of them. Returns the sequence numbers of the entries in
   * each delivery.
   */
  const deliver = async (now: number, extra: Partial<DeliveryAttempt> = {}): Promise<number[][]> => {
    const claimed = await claim(now);
    await record(
      claimed.map((delivery) => toAttempt(delivery, { at: now, ...extra })),
      now,
    );
    return claimed.map(({ entries }) => entries.map(({ sequence }) => sequence));
  };

  /** Buys a watch. The returned function `change` causes a price alert, and `toggle` causes a liveness alert. */
  const openWatch = async (destinations: readonly NewDestination[]) => {
    const endpointId = await watches.addEndpoint();
    const id = await watches.buy(endpointId, { destinations, livenessSensitivityN: 1 });
    let price = 0;
    const change = async (at: number): Promise<void> => {
      price += 1;
      await database.observe(endpointId, at, { terms: makeTerms(`${price}`, '0xa') });
    };
    await change(T0);
    let isDown = false;
    const toggle = async (at: number): Promise<void> => {
      isDown = !isDown;
      const vitality = isDown ? ('down' as const) : ('up' as const);
      // The first miss of an outage is not confirmed yet, so two misses are recorded.
      const times = isDown ? [at - 1000, at] : [at];
      await database.record(
        times.map((time) => makeObservation(endpointId, time, { vitality })),
        at,
      );
    };
    const find = async () => (await watches.find(id)).destinations;
    const readStates = async (): Promise<string[]> => {
      const { data } = await database.db
        .from('watch_deliveries')
        .select('sequence, state, attempts')
        .eq('watch_id', id)
        .order('destination_id')
        .order('sequence');
      return (data ?? []).map(({ sequence, state, attempts }) => `${sequence} ${state} ${attempts}`);
    };
    return { id, endpointId, change, toggle, find, readStates };
  };
  return { claim, record, deliver, openWatch };
}
