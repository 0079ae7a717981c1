import { WATCH_EVENT_TYPES, watchCreatedSchema } from '@touchstone/contract';
import { createSender } from '@touchstone/probe';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeEndpoint, storeProbedEndpoint } from '../testing/store-endpoint.ts';
import {
  BASE_URL,
  createBuyer,
  createPurchase,
  useWatchWorld,
  settlePurchase,
  toCreateRequest,
  toSecrets,
} from '../testing/watch-world.ts';
import { createWatch } from './buy-watch.ts';
import { readWatch } from './read-watch.ts';

const world = useWatchWorld();
const ENDPOINT = 'https://api.example.com/weather';
const TEMPLATE = 'https://api.example.com/items/{id}';
const [HOOK, OTHER_HOOK] = ['https://one.example.net/h-token?key=hook-token', 'https://two.example.net/hook'];
const SLACK = 'https://hooks.slack.com/services/T0000/B0000/slacktoken';
/** Parts of the URLs that only the owner of the watch knows. */
const TOKENS = ['h-token', 'hook-token', 'T0000', 'B0000', 'slacktoken'];

beforeEach(async () => {
  await storeProbedEndpoint(world.context.db, world.time, { resource: ENDPOINT });
});

const countWatches = async (): Promise<number> =>
  (await world.context.db.from('watches').select('id')).data?.length ?? 0;
const create = (...request: Parameters<typeof toCreateRequest>) =>
  createWatch(world.watchContext, toCreateRequest(...request), createPurchase());

/** Expects a problem, and that the request stored nothing. */
async function expectProblem(running: ReturnType<typeof create>, problem: object): Promise<void> {
  const before = await countWatches();
  expect(await running).toMatchObject({ kind: 'problem', ...problem });
  expect(await countWatches()).toBe(before);
}

describe('a created watch', () => {
  it('is in the format of the contract, with its secret and a test of each URL', async () => {
    const created = await create(ENDPOINT, { webhooks: [HOOK, OTHER_HOOK], chats: [SLACK] });
    if (created.kind === 'problem') throw new Error(created.detail);
    const body = watchCreatedSchema.parse(created.body);
    const url = `${BASE_URL}/v1/watch/${body.watch_id}`;
    expect(body).toMatchObject({
      poll_url: `${url}/events`,
      renew_url: `${url}/renew`,
      edit_url: url,
      cancel_url: url,
      endpoint: ENDPOINT,
      liveness_sensitivity_n: 2,
      expires_at: new Date(world.time + 30 * 86_400_000).toISOString(),
    });
    expect(body.delivery.connection_test).toMatchObject([
      { url: HOOK, ok: true, status: 200, error: null },
      { url: OTHER_HOOK, ok: true },
      { url: 'https://hooks.slack.com/…oken', ok: true },
    ]);
    expect(body.next_steps.join(' ')).toContain(`GET ${body.poll_url}`);
    expect(body.next_steps.join(' ')).toContain('webhook_secret');
    expect(world.receivers.messages.map(({ host }) => host).toSorted()).toEqual([
      'hooks.slack.com',
      'one.example.net',
      'two.example.net',
    ]);
  });

  it('is pending until its payment is settled, and stores neither the secret nor a URL', async () => {
    const buyer = createBuyer();
    const created = await createWatch(
      world.watchContext,
      toCreateRequest(ENDPOINT, { webhooks: [HOOK], chats: [SLACK] }),
      createPurchase(buyer),
    );
    if (created.kind === 'problem') throw new Error(created.detail);
    const { watch_id: id, secret } = created.body;
    const read = () => readWatch(world.watchContext, { id, secret });
    expect(await read()).toMatchObject({ body: { status: 'pending' } });
    await settlePurchase(world.watchContext, buyer);
    expect(await read()).toMatchObject({ body: { status: 'active' } });
    const dump = await dumpTables();
    for (const stored of [id, buyer.nonce, 'https://hooks.slack.com/…oken']) expect(dump).toContain(stored);
    for (const text of [...toSecrets(created.body), ...TOKENS]) expect(dump).not.toContain(text);
  });

  it('of a URL template has no events on payTo and price, and says so', async () => {
    await storeProbedEndpoint(world.context.db, world.time, { resource: TEMPLATE });
    const buyer = createBuyer();
    const created = await createWatch(world.watchContext, toCreateRequest(TEMPLATE), createPurchase(buyer));
    if (created.kind === 'problem') throw new Error(created.detail);
    const { watch_id: id, secret, events, next_steps: steps } = created.body;
    expect(events).toEqual(WATCH_EVENT_TYPES.slice(2));
    expect(steps.at(-1)).toContain('no payto_change and no price_change');
    expect(await readWatch(world.watchContext, { id, secret })).toMatchObject({ body: { events } });
  });
});

describe('a request that creates no watch', () => {
  it('names an invalid URL before anything else', async () => {
    await expectProblem(create('ftp://files.example.com/', { webhooks: [HOOK] }), {
      code: 'invalid-request',
      errors: [{ path: 'endpoint' }],
    });
    expect(world.receivers.messages).toEqual([]);
  });

  it('sends no connection test for an unknown endpoint, and none without encryption keys', async () => {
    await expectProblem(create('https://unknown.example.com/', { webhooks: [HOOK] }), {
      code: 'unknown-resource',
      detail: expect.stringContaining(
        'This endpoint is not in the catalog. Buy a trust report to add it',
      ) as string,
    });
    const request = toCreateRequest(ENDPOINT, { webhooks: [HOOK] });
    await expectProblem(createWatch({ ...world.watchContext, cipher: null }, request, createPurchase()), {
      code: 'watch-unavailable',
    });
    expect(world.receivers.messages).toEqual([]);
  });

  it.each([
    ['https://unprobed.example.com/', 'not-probeable'],
    ['https://unprobed.example.com/items/{id}', 'template-unresolved'],
  ])('sends no connection test for an endpoint that is not probed: %s', async (resource, code) => {
    await storeEndpoint(world.context.db, world.time, { resource });
    await expectProblem(create(resource, { webhooks: [HOOK] }), { code });
    expect(world.receivers.messages).toEqual([]);
  });

  it('has only events that a URL template cannot have', async () => {
    await storeProbedEndpoint(world.context.db, world.time, { resource: TEMPLATE });
    const events = ['payto_change', 'price_change'] as const;
    await expectProblem(create(TEMPLATE, { events, webhooks: [HOOK] }), {
      code: 'invalid-request',
      errors: [{ path: 'events' }],
    });
    expect(world.receivers.messages).toEqual([]);
  });

  it('names each URL that failed the connection test, and contains no URL', async () => {
    world.receivers.handlers.set('two.example.net', (response) => response.writeHead(404).end());
    world.receivers.handlers.set('hooks.slack.com', (response) => response.writeHead(403).end());
    const github = 'https://discord.com/api/webhooks/1/a/github';
    const running = create(ENDPOINT, { webhooks: [HOOK, OTHER_HOOK], chats: [SLACK, github] });
    await expectProblem(running, {
      code: 'delivery-unreachable',
      errors: [
        { path: 'delivery.webhook_urls.1', message: expect.stringContaining('http-404') as string },
        { path: 'delivery.slack_urls.0', message: expect.stringContaining('http-403') as string },
        { path: 'delivery.slack_urls.1', message: expect.stringContaining('Remove `/github`') as string },
      ],
    });
    const text = JSON.stringify(await running);
    for (const token of TOKENS) expect(text).not.toContain(token);
  });
});

describe('a URL without an HTTP response', () => {
  it.each([
    ['without an address', () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }))],
    ['with a private address', () => Promise.resolve([{ address: '10.0.0.1', family: 4 as const }])],
    // The certificate of the receivers is not trusted by the sender.
    ['with an untrusted certificate', () => Promise.resolve([toReceiver()])],
  ] as const)('gets the same error: a host %s', async (_, resolver) => {
    // Each reading of the clock is 20 seconds later, so there is one try and no wait.
    const now = () => (world.time += 20_000);
    const context = { ...world.watchContext, now, send: createSender({ userAgent: 'test', resolver }) };
    const request = toCreateRequest(ENDPOINT, { webhooks: [HOOK] });
    expect(await createWatch(context, request, createPurchase())).toMatchObject({
      code: 'delivery-unreachable',
      errors: [
        {
          path: 'delivery.webhook_urls.0',
          message:
            'The connection test failed: no-response. Check that the host name resolves to a public address, and that the server accepts https requests from the internet, responds within 5 seconds, and has a valid certificate for the host name.',
        },
      ],
    });
  });

  const toReceiver = () => ({
    ...{ address: '127.0.0.1', family: 4 as const, port: world.receivers.port, isTrusted: true as const },
  });
});

/** Returns all rows of the tables on watches, payments and rate limits as text. */
async function dumpTables(): Promise<string> {
  const { rows } = await world.database.connection.driver.query<{ dump: string }>(`
    select string_agg(t::text, '') as dump from (
      select row(w.*)::text as t from watches w union all
      select row(d.*)::text from watch_destinations d union all
      select row(l.*)::text from watch_log l union all
      select row(b.*)::text from watch_purchases b union all
      select row(r.*)::text from rate_limits r union all
      select row(p.*)::text from payments p
    ) t`);
  return rows[0]?.dump ?? '';
}
