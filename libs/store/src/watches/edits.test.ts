import { HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cancelWatch, editWatch } from '../index.ts';
import { toAttempt, openDeliveries } from '../testing/deliveries.ts';
import { openTestDatabase, T0, type TestDatabase } from '../testing/fixtures.ts';
import { makeDestination, openWatches } from '../testing/watches.ts';

let database: TestDatabase;
let watches: ReturnType<typeof openWatches>;
let actions: ReturnType<typeof openDeliveries>;
beforeAll(async () => {
  database = await openTestDatabase();
  watches = openWatches(database);
  actions = openDeliveries(database);
});
afterAll(() => database.close());
// Claims of one test must not contain the destinations of another test.
beforeEach(() => database.connection.driver.exec('truncate public.watches cascade'));

describe('editWatch', () => {
  it('keeps destinations with their queue, and removes the others with theirs', async () => {
    const { change, find, id } = await actions.openWatch([
      makeDestination('kept'),
      makeDestination('removed'),
      makeDestination('chat', 'slack'),
    ]);
    await change(T0 + HOUR_MS);
    const [kept, , chat] = await find();
    const now = T0 + 2 * HOUR_MS;
    const claimed = await actions.claim(now);
    const webhooks = [{ id: kept?.id ?? 0 }, makeDestination('added')];
    const edit = { id, webhooks, events: ['price_change'], changed: ['delivery', 'events'], now } as const;
    expect(await editWatch(database.db, edit)).toBe(true);
    const after = await find();
    expect(after.map(({ label, pending }) => [label, pending])).toEqual([
      ['kept', 1],
      ['chat', 1],
      ['added', 0],
    ]);
    expect(after.slice(0, 2).map((destination) => destination.id)).toEqual([kept?.id, chat?.id]);
    expect((await watches.readLog(id)).at(-1)).toMatchObject({
      type: 'edited',
      data: { changed: ['delivery', 'events'] },
    });
    expect(await watches.find(id)).toMatchObject({ events: ['price_change'], livenessSensitivityN: 1 });
    // The result of the removed destination is ignored.
    expect(
      await actions.record(
        claimed.map((delivery) => toAttempt(delivery)),
        now,
      ),
    ).toMatchObject({ delivered: 2 });
    await change(now);
    expect(await actions.claim(now)).toHaveLength(3);
    const { data } = await database.db.from('watch_destinations').select('label').is('url', null);
    expect(data).toEqual([{ label: 'removed' }]);
  });

  it('removes all chats with an empty list, and logs nothing without a change', async () => {
    const { find, id } = await actions.openWatch([
      makeDestination('hook'),
      makeDestination('chat', 'discord'),
    ]);
    const edit = { id, chats: [], livenessSensitivityN: 9, changed: [], now: T0 };
    expect(await editWatch(database.db, edit)).toBe(true);
    expect((await find()).map(({ label }) => label)).toEqual(['hook']);
    expect(await watches.find(id)).toMatchObject({ livenessSensitivityN: 9 });
    expect(await watches.readTypes(id)).toEqual(['created']);
  });

  it('refuses unknown, pending and cancelled watches', async () => {
    const { id, endpointId } = await actions.openWatch([]);
    const edit = (watchId: string) => editWatch(database.db, { id: watchId, changed: ['events'], now: T0 });
    expect(await edit('w_unknown')).toBe(false);
    expect(await edit((await watches.prepare(endpointId)).id)).toBe(false);
    await cancelWatch(database.db, { id, now: T0 });
    expect(await edit(id)).toBe(false);
  });
});
