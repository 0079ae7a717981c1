import { formatEventId, watchEventsSchema, watchSchema, type WatchCreated } from '@touchstone/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCountingFetch } from '../testing/counting-fetch.ts';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { createActiveWatch, useWatchWorld, storeChanges, toSecrets } from '../testing/watch-world.ts';
import { readAttempts, readWatch, readWatchEvents, type EventsRequest } from './read-watch.ts';

const world = useWatchWorld();
const ENDPOINT = 'https://api.example.com/weather';
let watch: WatchCreated;

beforeEach(async () => {
  await storeProbedEndpoint(world.context.db, world.time, { resource: ENDPOINT });
  watch = await createActiveWatch(world.watchContext, ENDPOINT);
});

const getCredentials = () => ({ id: watch.watch_id, secret: watch.secret });
const poll = async (cursors: Pick<EventsRequest, 'since' | 'watchSince'> = {}) => {
  const result = await readWatchEvents(world.watchContext, { ...getCredentials(), ...cursors });
  if (result.kind === 'problem') throw new Error(`${result.code}: ${result.detail}`);
  return watchEventsSchema.parse(result.body);
};

describe('the owner of a watch', () => {
  it('reads the watch in the format of the contract', async () => {
    const result = await readWatch(world.watchContext, getCredentials());
    if (result.kind === 'problem') throw new Error(result.detail);
    expect(watchSchema.parse(result.body)).toMatchObject({
      watch_id: watch.watch_id,
      status: 'active',
      endpoint: ENDPOINT,
      events: watch.events,
      expires_at: watch.expires_at,
      cancelled_at: null,
      delivery: { webhooks: [], chats: [] },
    });
    for (const secret of toSecrets(watch)) expect(JSON.stringify(result.body)).not.toContain(secret);
    expect(await readAttempts(world.watchContext, getCredentials())).toEqual({
      kind: 'result',
      body: { attempts: [] },
    });
  });

  it('reads all events page by page, and continues after an event id', async () => {
    await storeChanges(world.watchContext, ENDPOINT, 150);
    const first = await poll();
    expect(first).toMatchObject({ status: 'active', has_more: true, watch_events: [{ type: 'created' }] });
    expect(first.events).toHaveLength(100);
    const second = await poll({ since: first.next_cursor, watchSince: first.watch_events_cursor });
    expect(second).toMatchObject({ has_more: false, watch_events: [] });
    expect(second.watch_events_cursor).toBe(first.watch_events_cursor);
    const ids = [...first.events, ...second.events].map(({ event_id: id }) => id);
    expect(ids).toEqual(Array.from({ length: 150 }, (_, index) => formatEventId(watch.watch_id, index + 2)));
    const again = await poll({ since: ids[148] });
    expect(again.events.map(({ event_id: id }) => id)).toEqual(ids.slice(149));
    const nothing = await poll({ since: second.next_cursor });
    expect(nothing).toMatchObject({ events: [], next_cursor: second.next_cursor, has_more: false });
  });

  it('cannot use a cursor of another watch, of the future or of another format', async () => {
    const other = await createActiveWatch(world.watchContext, ENDPOINT);
    const last = formatEventId(watch.watch_id, 1);
    expect(await poll({ since: last, watchSince: last })).toMatchObject({ events: [], watch_events: [] });
    const invalid = [formatEventId(other.watch_id, 1), formatEventId(watch.watch_id, 2), '1', ''];
    for (const cursor of invalid) {
      const since = await readWatchEvents(world.watchContext, { ...getCredentials(), since: cursor });
      expect(since).toMatchObject({ code: 'invalid-request', errors: [{ path: 'since' }] });
      const watchSince = await readWatchEvents(world.watchContext, {
        ...getCredentials(),
        watchSince: cursor,
      });
      expect(watchSince).toMatchObject({ code: 'invalid-request', errors: [{ path: 'watch_since' }] });
    }
  });
});

describe('anyone else', () => {
  const UNKNOWN = `w_${'a'.repeat(26)}`;

  it('gets the same problem for a wrong secret, an unknown id and a malformed id, after the same work', async () => {
    const calls: string[] = [];
    const db = world.connect(createCountingFetch(calls));
    const context = { ...world.watchContext, db };
    const { id, secret } = getCredentials();
    const requests = [
      { id, secret: `${secret}x` },
      { id: UNKNOWN, secret },
      { id: 'w_\u0000', secret },
    ];
    for (const credentials of requests) {
      for (const read of [readWatch, readWatchEvents, readAttempts]) {
        calls.length = 0;
        const problem = await read(context, credentials);
        expect(problem).toMatchObject({ kind: 'problem', code: 'unauthorized' });
        expect(problem).toEqual(await readWatch(world.watchContext, { id: UNKNOWN, secret: '' }));
        expect(JSON.stringify(problem)).not.toContain(secret);
        expect(calls).toEqual(['watches']);
      }
    }
    calls.length = 0;
    expect(await readWatch(context, { id, secret })).toMatchObject({ kind: 'result' });
    expect(calls).toEqual(['watches', 'find_watch']);
  });
});
