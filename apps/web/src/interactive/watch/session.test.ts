import { type WatchEvents, formatEventId } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import {
  WATCH_ID,
  createTestAlert,
  createTestLifecycleEvent,
  createTestWatch,
} from './testing/test-watch.tsx';
import { EMPTY_LOG, readLog } from './session.tsx';
import type { WatchClient } from '../trpc/client.ts';

const PAGE_SIZE = 2;

/**
 * Creates a test log and a client that reads the log. Every third entry is a lifecycle event. `calls` is the number of
 * calls.
 */
function createLog() {
  const state = { last: 0, calls: 0 };
  const sequences = (isLifecycle: boolean, after: number) =>
    Array.from({ length: state.last }, (_, index) => index + 1).filter(
      (sequence) => (sequence % 3 === 1) === isLifecycle && sequence > after,
    );
  const toSequence = (cursor: string | undefined) => Number(cursor?.split('_').at(-1) ?? 0);
  const query = (input: {
    since?: string | undefined;
    watchSince?: string | undefined;
  }): Promise<WatchEvents> => {
    state.calls += 1;
    const [since, watchSince] = [toSequence(input.since), toSequence(input.watchSince)];
    const alerts = sequences(false, since);
    const lifecycle = sequences(true, watchSince);
    const [events, watchEvents] = [alerts.slice(0, PAGE_SIZE), lifecycle.slice(0, PAGE_SIZE)];
    const { status, endpoint, expires_at } = createTestWatch();
    return Promise.resolve({
      watch_id: WATCH_ID,
      status,
      endpoint,
      expires_at,
      events: events.map((sequence) => createTestAlert(sequence, { type: 'price_change' })),
      next_cursor: formatEventId(WATCH_ID, events.at(-1) ?? since),
      watch_events: watchEvents.map((sequence) => createTestLifecycleEvent(sequence, 'edited')),
      watch_events_cursor: formatEventId(WATCH_ID, watchEvents.at(-1) ?? watchSince),
      has_more: alerts.length > PAGE_SIZE || lifecycle.length > PAGE_SIZE,
    });
  };
  // The test needs only the member `events` of the client, so the cast is safe.
  return { state, client: { events: { query } } as unknown as Pick<WatchClient, 'events'> };
}

const read = (client: Pick<WatchClient, 'events'>, known = EMPTY_LOG) =>
  readLog(client, { id: WATCH_ID, known, signal: new AbortController().signal });

describe('readLog', () => {
  it.each([0, 1, 2, 3, 10, 23])('reads a log of %i entries to its end, newest first', async (last) => {
    const { state, client } = createLog();
    state.last = last;
    const { entries } = await read(client);
    expect(entries.map(({ data }) => data.sequence)).toEqual(
      Array.from({ length: last }, (_, i) => last - i),
    );
  });

  it('reads only new entries later', async () => {
    const { state, client } = createLog();
    state.last = 20;
    const first = await read(client);
    state.calls = 0;
    const same = await read(client, first);
    expect(state.calls).toBe(1);
    expect(same.entries).toBe(first.entries);
    state.last = 21;
    const second = await read(client, same);
    expect(state.calls).toBe(2);
    expect(second.entries.map(({ data }) => data.sequence)).toEqual(
      Array.from({ length: 21 }, (_, i) => 21 - i),
    );
  });
});
