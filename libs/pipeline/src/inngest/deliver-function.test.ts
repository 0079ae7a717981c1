import type { WatchCreated } from '@touchstone/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { startApplication, type Application } from '../testing/inngest/inngest-application.ts';
import { createActiveWatch, useWatchWorld, storeChanges, toSecrets } from '../testing/watch-world.ts';
import { challenge, item } from '../testing/world.ts';

const world = useWatchWorld();
const HOOK = 'https://one.example.net/hook-abcdef';
const MINUTE_MS = 60_000;
let application: Application;
let watch: WatchCreated;
let resource: string;

beforeEach(async () => {
  await world.clear();
  let owners = 0;
  application = await startApplication(() => {
    owners += 1;
    return { ...world.jobContext, owner: `inngest-${owners}` };
  });
  expect(await application.register()).toBe(200);
  world.handlers.set('/paid', challenge);
  resource = world.toUrl('/paid');
  world.items = [item(resource)];
  await discover(world.context);
  watch = await createActiveWatch(world.watchContext, resource, { webhooks: [HOOK] });
});
afterEach(async () => {
  await application.close();
});

const listTypes = () => world.receivers.listEvents('one.example.net').map(({ type }) => type);

it('delivers one batch per step, and each event once although every request is delivered twice', async () => {
  await storeChanges(world.watchContext, resource, 3);
  world.time += MINUTE_MS;
  application.inngest.deliveries = 2;
  const run = await application.inngest.run('touchstone-deliver');
  expect(run).toMatchObject({ failed: false });
  expect(run.steps).toContain('deliver batch 1');
  expect(listTypes()).toEqual(['price_change', 'price_change', 'price_change']);
  for (const text of ['abcdef', ...toSecrets(watch)]) expect(JSON.stringify(run)).not.toContain(text);
  expect((await application.inngest.run('touchstone-deliver')).output).toMatchObject({ claimed: 0 });
});

it('requests one run of deliveries for the batches of five seconds', async () => {
  world.time += 5 * MINUTE_MS;
  await application.inngest.run('touchstone-probe');
  await application.inngest.drain();
  const changed = [...application.inngest.events];
  expect(changed.map(({ name }) => name)).toEqual(['touchstone/batch.due', 'touchstone/deliveries.due']);
  expect(changed[1]?.ts).toBe(world.time + 5_000);
  expect(listTypes()).toEqual([]);

  world.handlers.set('/paid', (response, url) => challenge(response, url, { amount: '99000' }));
  world.time += 5 * MINUTE_MS;
  await application.inngest.run('touchstone-probe');
  const runs = await application.inngest.drain();
  expect(runs.map(({ functionId }) => functionId)).toEqual(['touchstone-probe-batch', 'touchstone-deliver']);
  expect(runs[1]?.output).toMatchObject({ delivered: 1 });
  expect(listTypes()).toEqual(['price_change']);
  // An empty batch requests no deliveries.
  const recheck = { name: 'touchstone/misses.due', data: { key: 'again' } };
  expect((await application.inngest.run('touchstone-recheck-misses', recheck)).output).toMatchObject({
    claimed: 0,
  });
  expect(application.inngest.events).toHaveLength(4);
});
