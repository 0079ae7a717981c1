import type { ServerResponse } from 'node:http';
import { canonicalize } from '@touchstone/catalog';
import {
  webhookMessageSchema,
  watchEventsSchema,
  type WatchCreated,
  type WatchEvents,
} from '@touchstone/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { claimAndProbe, recheckMisses } from '../probing/probe-due.ts';
import { scoreChanged } from '../scoring/score-changed.ts';
import { createFailingFetch } from '../testing/failing-fetch.ts';
import { createActiveWatch, useWatchWorld } from '../testing/watch-world.ts';
import { challenge, item, type Offer } from '../testing/world.ts';
import { deliverEvents } from './deliver-events.ts';
import { readWatchEvents } from './read-watch.ts';

const world = useWatchWorld();
// These tests cover the path from the probe to the receiver. Every change of an endpoint must cause one event on every
// channel.

const HOST = 'one.example.net';
const MINUTE_MS = 60_000;
let resource: string;

beforeEach(async () => {
  await world.clear();
  resource = world.toUrl('/paid');
  world.handlers.set('/paid', challenge);
  world.items = [item(resource)];
  await discover(world.context);
  world.time += 30 * MINUTE_MS;
  await claimAndProbe(world.context);
});

/** Probes the watched endpoint in its next slot, rechecks a miss, and delivers the events. */
async function probe(slots = 1): Promise<void> {
  for (let slot = 0; slot < slots; slot += 1) {
    world.time += 5 * MINUTE_MS;
    await claimAndProbe(world.context);
    world.time += MINUTE_MS;
    await recheckMisses(world.context);
    world.time -= MINUTE_MS;
    await deliverEvents(world.jobContext);
  }
}

async function poll({ watch_id: id, secret }: WatchCreated): Promise<WatchEvents> {
  const result = await readWatchEvents(world.watchContext, { id, secret });
  if (result.kind === 'problem') throw new Error(result.detail);
  return watchEventsSchema.parse(result.body);
}
const listTypes = () => world.receivers.listEvents(HOST).map(({ type }) => type);

it('reports every kind of change once, on the webhook and in the log, in the same order', async () => {
  const watch = await createActiveWatch(world.watchContext, resource, { webhooks: [`https://${HOST}/hook`] });
  await probe(2);
  expect(listTypes()).toEqual([]);
  const payTo = `0x${'2'.repeat(40)}`;
  world.handlers.set('/paid', (response, url) => challenge(response, url, { payTo }));
  await probe(2);
  expect(listTypes()).toEqual(['payto_change']);
  world.handlers.set('/paid', (response, url) => challenge(response, url, { payTo, amount: '77000' }));
  await probe(2);
  const asset = `0x${'3'.repeat(40)}`;
  const changed = { payTo, amount: '77000', asset };
  world.handlers.set('/paid', (response, url) => challenge(response, url, changed));
  await probe(2);
  world.handlers.set('/paid', (response) => response.writeHead(402).end('{"x402Version":2,"accepts":[]}'));
  await probe(2);
  world.handlers.set('/paid', (response) => response.writeHead(500).end());
  await probe(4);
  world.handlers.set('/paid', (response, url) => challenge(response, url, changed));
  await probe(2);
  world.items = [item(world.toUrl('/other'))];
  for (let day = 0; day < 3; day += 1) {
    world.time += 26 * 60 * MINUTE_MS;
    await discover(world.context);
    await deliverEvents(world.jobContext);
  }

  const { events } = await poll(watch);
  const received = world.receivers.listEvents(HOST);
  expect(received.map(({ id }) => id)).toEqual(events.map((event) => event.event_id));
  const types = events.map(({ type }) => type);
  for (const type of ['payto_change', 'price_change', 'asset_network_change', 'spec_regression'])
    expect([type, types.filter((each) => each === type).length]).toEqual([type, 1]);
  expect(types.slice(-3)).toEqual(['liveness_down', 'liveness_recovered', 'delisting']);
  expect(types.filter((type) => type === 'liveness_down')).toHaveLength(1);
  expect(events[0]).toMatchObject({
    type: 'payto_change',
    severity: 'critical',
    endpoint: resource,
    data: {
      before: { options: [{ pay_to: `0x${'1'.repeat(40)}` }] },
      after: { options: [{ pay_to: payTo }] },
    },
  });
});

it('sends an outage and its end as two webhooks, and as one message to a chat', async () => {
  const chats = [
    'https://hooks.slack.com/services/T000/B000/secret',
    'https://discord.com/api/webhooks/1/secret',
  ];
  const webhooks = [`https://${HOST}/hook`];
  await createActiveWatch(world.watchContext, resource, { webhooks, chats, livenessSensitivityN: 1 });
  world.receivers.messages.length = 0;
  world.handlers.set('/paid', (response) => response.writeHead(503).end());
  world.time += 5 * MINUTE_MS;
  await claimAndProbe(world.context);
  world.time += MINUTE_MS;
  await recheckMisses(world.context);
  world.handlers.set('/paid', challenge);
  world.time += 4 * MINUTE_MS;
  await claimAndProbe(world.context);
  expect(await deliverEvents(world.jobContext)).toMatchObject({ claimed: 4, delivered: 4 });
  expect(listTypes()).toEqual(['liveness_down', 'liveness_recovered']);
  const read = (host: string) => world.receivers.messages.filter((message) => message.host === host);
  expect(read('hooks.slack.com')).toHaveLength(1);
  expect(read('discord.com')).toHaveLength(1);
  for (const { body, headers } of [...read('hooks.slack.com'), ...read('discord.com')]) {
    expect(body).toContain('example.com');
    expect(headers).not.toHaveProperty('x-signature');
  }
});

describe('an alert', () => {
  const PAY_TO = `0x${'2'.repeat(40)}`;
  const answer = (offer: Offer) => (response: ServerResponse, url: string) => challenge(response, url, offer);
  const id = () => {
    const canonical = canonicalize(resource);
    if (!canonical.ok) throw new Error(canonical.reason);
    return canonical.id;
  };
  /** Reads the snapshot of the endpoint while the receiver responds to an alert. */
  const readOnArrival = () => {
    const snapshots: object[] = [];
    world.receivers.handlers.set(HOST, (response, { body }) => {
      const { timestamp } = webhookMessageSchema.parse(JSON.parse(body));
      void world.publicStore.readSnapshot(id()).then((snapshot) => {
        const isCurrent = timestamp <= (snapshot?.lastProbedAt ?? '');
        snapshots.push({ ...snapshot, isCurrent, isExpired: world.changedIds.includes(id()) });
        response.end();
      });
    });
    return snapshots;
  };
  beforeEach(async () => {
    await createActiveWatch(world.watchContext, resource, {
      webhooks: [`https://${HOST}/hook`],
      livenessSensitivityN: 1,
    });
    await scoreChanged(world.context);
    world.changedTags.length = 0;
  });

  it.each([
    ['another price', answer({ amount: '77000' }), { amountUsd: '0.077000' }],
    ['another payTo', answer({ payTo: PAY_TO }), { payOn: [{ payTo: PAY_TO }], errorFlags: 1 }],
    [
      'an outage',
      (response: ServerResponse) => response.writeHead(503).end(),
      { lastFailure: { httpStatus: 503 } },
    ],
  ])('about %s arrives when the page of the endpoint shows it', async (_, handler, expected) => {
    const snapshots = readOnArrival();
    world.handlers.set('/paid', handler);
    world.time += 5 * MINUTE_MS;
    await claimAndProbe(world.context);
    world.time += MINUTE_MS;
    await recheckMisses(world.context);
    expect(await deliverEvents(world.jobContext)).toMatchObject({ delivered: 1, unrefreshed: 0 });
    expect(snapshots).toMatchObject([{ ...expected, isCurrent: true, isExpired: true }]);
  });

  it('arrives also if the endpoint cannot be scored', async () => {
    world.handlers.set('/paid', answer({ payTo: PAY_TO }));
    world.time += 5 * MINUTE_MS;
    await claimAndProbe(world.context);
    const db = world.connect(createFailingFetch(['scoring_inputs']));
    expect(await deliverEvents({ ...world.jobContext, db })).toMatchObject({
      delivered: 1,
      unrefreshed: 1,
    });
    expect(listTypes()).toEqual(['payto_change']);
  });
});
