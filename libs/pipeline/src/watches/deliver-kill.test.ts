import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { formatEventId } from '@touchstone/contract';
import { createCipher } from '@touchstone/watch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeliverProcessSettings } from '../testing/deliver-process.ts';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import {
  createActiveWatch,
  createWatchKey,
  createWatchWorld,
  storeChanges,
  type WatchWorld,
} from '../testing/watch-world.ts';
import { readWatchEvents } from './read-watch.ts';

const PROGRAM = fileURLToPath(new URL('../testing/deliver-process.ts', import.meta.url));
const ENDPOINT = 'https://api.example.com/weather';
const [DESTINATIONS, EVENTS, KILLS] = [24, 15, 3];
/** Number of messages after which a process is killed. */
const MESSAGES_PER_PROCESS = 70;
const LEASE_MS = 60_000;
const keys = createKeys();
const watchKey = createWatchKey();
let database: EmbeddedDatabase;
let world: WatchWorld;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  database = await startMigrated({ keys });
  world = await createWatchWorld({ url: database.url, secret: keys.secret }, Date.UTC(2027, 0, 1));
});
afterAll(async () => {
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await world.close();
  await database.close();
});

function startProcess(owner: string): ChildProcess {
  const { port, ca } = world.receivers;
  const settings: DeliverProcessSettings = {
    databaseUrl: database.url,
    databaseKey: keys.secret,
    watchKey,
    receivers: { port, ca },
    now: world.time,
    owner,
  };
  const env = { ...process.env, DELIVER: JSON.stringify(settings) };
  const child = fork(PROGRAM, { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.add(child);
  return child;
}

/** Kills a delivering process in the middle of its work. */
async function killInTheMiddle(owner: string): Promise<void> {
  const before = world.receivers.messages.length;
  const child = startProcess(owner);
  const exited = once(child, 'exit');
  while (world.receivers.messages.length < before + MESSAGES_PER_PROCESS) {
    if (child.exitCode !== null) throw new Error('the process ended before it was killed');
    await sleep(2);
  }
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
}

it('sends every event at least once, in order and with the same id, although processes are killed', async () => {
  const context = { ...world.watchContext, cipher: createCipher([watchKey]) };
  await storeProbedEndpoint(world.context.db, world.time, { resource: ENDPOINT });
  const hosts = Array.from({ length: DESTINATIONS }, (_, index) => `host${index}.example.net`);
  const watches = new Map<string, Awaited<ReturnType<typeof createActiveWatch>>>();
  for (const host of hosts) {
    world.receivers.handlers.set(
      host,
      (response) => void setTimeout(() => response.end(), 10 * Math.random()),
    );
    watches.set(host, await createActiveWatch(context, ENDPOINT, { webhooks: [`https://${host}/hook`] }));
  }
  await storeChanges(context, ENDPOINT, EVENTS);
  world.time += LEASE_MS;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await killInTheMiddle(`killed-${kill}`);
    // The leases of the killed process expire.
    world.time += LEASE_MS;
  }
  const messages: unknown[] = await once(startProcess('last'), 'message');
  expect(messages[0]).toMatchObject({ retried: 0, exhausted: 0, disabled: 0, unreadable: 0 });

  let duplicates = 0;
  for (const [host, { watch_id: id, secret }] of watches) {
    const log = await readWatchEvents(context, { id, secret });
    if (log.kind === 'problem') throw new Error(log.detail);
    const logged = log.body.events.map((event) => event.event_id);
    expect(logged).toEqual(Array.from({ length: EVENTS }, (_, index) => formatEventId(id, index + 2)));
    const received = world.receivers.listEvents(host).map((event) => event.id);
    // A message is repeated only directly after itself, so the order stays the same.
    const distinct = received.filter((event, index) => event !== received[index - 1]);
    expect(distinct).toEqual(logged);
    duplicates += received.length - distinct.length;
  }
  // Each kill repeats at most the messages that were in flight or not recorded: one per destination.
  expect(duplicates).toBeLessThanOrEqual(KILLS * DESTINATIONS);
  const { data } = await world.context.db.from('watch_deliveries').select('state').neq('state', 'delivered');
  expect(data).toEqual([]);
}, 120_000);
