import { watchEditedSchema, watchEditSchema, watchSchema, type WatchCreated } from '@touchstone/contract';
import { createCipher } from '@touchstone/watch';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { createActiveWatch, createWatchKey, useWatchWorld } from '../testing/watch-world.ts';
import { cancelWatch, editWatch } from './edit-watch.ts';
import { readWatch, readWatchEvents } from './read-watch.ts';

const world = useWatchWorld();
const ENDPOINT = 'https://api.example.com/weather';
const [HOOK, NEW_HOOK] = ['https://one.example.net/hook-abcdef', 'https://two.example.net/hook-uvwxyz'];
const SLACK = 'https://hooks.slack.com/services/T000/B000/secretsecret';
let watch: WatchCreated;

beforeEach(async () => {
  await storeProbedEndpoint(world.context.db, world.time, { resource: ENDPOINT });
  watch = await createActiveWatch(world.watchContext, ENDPOINT, { webhooks: [HOOK], chats: [SLACK] });
  world.receivers.messages.length = 0;
});

const getCredentials = () => ({ id: watch.watch_id, secret: watch.secret });
const client = 'client';
const edit = (body: object, context = world.watchContext) =>
  editWatch(context, { ...getCredentials(), client, edit: watchEditSchema.parse(body) });
const read = async () => {
  const result = await readWatch(world.watchContext, getCredentials());
  if (result.kind === 'problem') throw new Error(result.detail);
  return watchSchema.parse(result.body);
};
const listLifecycle = async () => {
  const result = await readWatchEvents(world.watchContext, getCredentials());
  if (result.kind === 'problem') throw new Error(result.detail);
  return result.body.watch_events.map(({ type, data }) => [type, data.changed ?? null]);
};
const getHosts = () => world.receivers.messages.map(({ host }) => host);

describe('an edit', () => {
  it('changes the settings, tests only new URLs, and keeps the others with their state', async () => {
    const before = await read();
    const edited = await edit({
      events: ['delisting', 'payto_change'],
      liveness_sensitivity_n: 5,
      delivery: { webhook_urls: [HOOK, NEW_HOOK] },
    });
    if (edited.kind === 'problem') throw new Error(edited.detail);
    expect(watchEditedSchema.parse(edited.body)).toMatchObject({
      status: 'active',
      events: ['payto_change', 'delisting'],
      liveness_sensitivity_n: 5,
      delivery: {
        webhooks: [{ url: 'https://one.example.net/…' }, { url: 'https://two.example.net/…' }],
        chats: before.delivery.chats,
      },
      connection_test: [{ url: NEW_HOOK, ok: true, status: 200 }],
    });
    expect(getHosts()).toEqual(['two.example.net']);
    expect(await listLifecycle()).toEqual([
      ['created', null],
      ['edited', ['events', 'liveness_sensitivity_n', 'delivery']],
    ]);
  });

  it('removes all URLs of a kind with an empty list', async () => {
    expect(await edit({ delivery: { slack_urls: [] } })).toMatchObject({
      body: { delivery: { webhooks: [{ channel: 'webhook' }], chats: [] }, connection_test: [] },
    });
  });

  it('changes and logs nothing if all values are the present ones', async () => {
    const before = await read();
    const present = { liveness_sensitivity_n: 2, delivery: { webhook_url: HOOK, slack_url: [SLACK] } };
    expect(await edit(present)).toMatchObject({ body: before });
    expect(await listLifecycle()).toEqual([['created', null]]);
    expect(getHosts()).toEqual([]);
  });

  it('tests a disabled URL again, and replaces its destination', async () => {
    const disabled = { disabled_at: new Date(world.time).toISOString(), disabled_reason: 'gone' };
    const rows = world.context.db.from('watch_destinations').update({ ...disabled, next_due_at: null });
    await rows.eq('watch_id', watch.watch_id).eq('channel', 'webhook');
    expect(await read()).toMatchObject({ delivery: { webhooks: [{ status: 'disabled' }] } });
    expect(await edit({ delivery: { webhook_url: HOOK } })).toMatchObject({
      body: { delivery: { webhooks: [{ status: 'active', disabled_reason: null }] } },
    });
    expect(getHosts()).toEqual(['one.example.net']);
  });
});

describe('an edit of a watch of a URL template', () => {
  const TEMPLATE = 'https://api.example.com/items/{id}';

  beforeEach(async () => {
    await storeProbedEndpoint(world.context.db, world.time, { resource: TEMPLATE });
    watch = await createActiveWatch(world.watchContext, TEMPLATE);
  });

  it('stores only events that it can report', async () => {
    const events = ['payto_change', 'delisting'];
    expect(await edit({ events })).toMatchObject({ body: { events: ['delisting'] } });
    expect(await read()).toMatchObject({ events: ['delisting'] });
    await edit({ events: ['price_change', 'delisting'] });
    expect(await listLifecycle()).toEqual([
      ['created', null],
      ['edited', ['events']],
    ]);
  });

  it('is refused without such an event, before a connection test', async () => {
    const events = ['payto_change', 'price_change'];
    expect(await edit({ events, delivery: { webhook_url: NEW_HOOK } })).toMatchObject({
      code: 'invalid-request',
      errors: [{ path: 'events' }],
    });
    expect(await read()).toMatchObject({ events: watch.events });
    expect(getHosts()).toEqual([]);
  });
});

describe('an edit that changes nothing', () => {
  it('has a new URL that fails the connection test', async () => {
    const before = await read();
    world.receivers.handlers.set('two.example.net', (response) => response.writeHead(404).end());
    const delivery = { webhook_urls: [HOOK, NEW_HOOK], slack_urls: [] };
    expect(await edit({ liveness_sensitivity_n: 9, delivery })).toMatchObject({
      kind: 'problem',
      code: 'delivery-unreachable',
      errors: [{ path: 'delivery.webhook_urls.1' }],
    });
    expect(await read()).toEqual(before);
    expect(await listLifecycle()).toEqual([['created', null]]);
  });

  it('concerns a cancelled watch', async () => {
    await cancelWatch(world.watchContext, getCredentials());
    expect(await edit({ liveness_sensitivity_n: 9, delivery: { webhook_url: NEW_HOOK } })).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('cancelled') as string,
    });
    expect(getHosts()).toEqual([]);
  });

  it('has a wrong secret or an unknown id, and gets the same problem', async () => {
    const change = { client, edit: watchEditSchema.parse({ liveness_sensitivity_n: 9 }) };
    const wrong = await editWatch(world.watchContext, {
      ...getCredentials(),
      secret: 'wsk_wrong',
      ...change,
    });
    const unknown = await editWatch(world.watchContext, {
      ...getCredentials(),
      id: `w_${'a'.repeat(26)}`,
      ...change,
    });
    expect(wrong).toMatchObject({ kind: 'problem', code: 'unauthorized' });
    expect(unknown).toEqual(wrong);
  });

  it('contains delivery URLs, and the service has no encryption keys or other ones', async () => {
    const delivery = { webhook_url: NEW_HOOK };
    const without = { ...world.watchContext, cipher: null };
    expect(await edit({ delivery }, without)).toMatchObject({ code: 'watch-unavailable' });
    const other = { ...world.watchContext, cipher: createCipher([createWatchKey()]) };
    expect(await edit({ delivery }, other)).toMatchObject({ code: 'watch-unavailable' });
    expect(getHosts()).toEqual([]);
    expect(await edit({ liveness_sensitivity_n: 9 }, without)).toMatchObject({ kind: 'result' });
  });
});

describe('a cancellation', () => {
  it('ends the watch once, and may be repeated', async () => {
    const cancelled = await cancelWatch(world.watchContext, getCredentials());
    expect(cancelled).toMatchObject({
      body: { status: 'cancelled', cancelled_at: new Date(world.time).toISOString() },
    });
    world.time += 60_000;
    expect(await cancelWatch(world.watchContext, getCredentials())).toEqual(cancelled);
    expect(await listLifecycle()).toEqual([
      ['created', null],
      ['cancelled', null],
    ]);
  });

  it('needs the secret', async () => {
    const credentials = { ...getCredentials(), secret: '' };
    expect(await cancelWatch(world.watchContext, credentials)).toMatchObject({ code: 'unauthorized' });
    expect(await read()).toMatchObject({ status: 'active' });
  });
});
