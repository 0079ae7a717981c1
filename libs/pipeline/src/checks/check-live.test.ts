import { DAY_MS, MINUTE_MS } from '@touchstone/common';
import { checkSchema } from '@touchstone/contract/operations/check/response';
import { CONNECTION_LIMIT_CODE, type Prober } from '@touchstone/probe';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ReportContext } from '../reports/report-context.ts';
import { createTestReportContext, listAndProbe } from '../testing/reports.ts';
import { challenge, useWorld } from '../testing/world.ts';
import { createCheckService, findKeptCheck, type CheckRequest } from './check-live.ts';
import type { CheckOutcome } from './run-check.ts';

const world = useWorld();
let context: ReportContext;
let service: ReturnType<typeof createCheckService>;

beforeEach(() => {
  context = createTestReportContext(world);
  service = createCheckService(context);
  world.handlers.set('/paid', challenge);
});

const check = (resource: string, change: Partial<CheckRequest> = {}): Promise<CheckOutcome> =>
  service.check({ resource, method: null, client: '203.0.113.1', ...change });

const checkPath = (path: string, change?: Partial<CheckRequest>) => check(world.toUrl(path), change);

function expectResult(outcome: CheckOutcome) {
  if (outcome.kind === 'problem') throw new Error(`${outcome.code}: ${outcome.detail}`);
  return outcome.body.check;
}

const findCode = (outcome: CheckOutcome): string => (outcome.kind === 'problem' ? outcome.code : 'result');

describe('the result', () => {
  test('is valid, and is sent again for a minute and kept for a day', async () => {
    const first = await checkPath('/paid');
    const facts = expectResult(first);
    expect(checkSchema.safeParse({ ...facts, code: null }).error).toBeUndefined();
    expect(facts).toMatchObject({
      outcome: 'pays',
      directories: null,
      guard: { decision: 'warn', reasons: ['Touchstone does not know this endpoint.'] },
      checkPage: `https://touchstone.example/check?url=${encodeURIComponent(world.toUrl('/paid'))}`,
    });
    const requests = world.requestedUrls.length;
    // The http URL is an error, which the seller may repair at once.
    world.time += MINUTE_MS - 1;
    // The fragment is no part of a request.
    expect(await checkPath('/paid#top')).toEqual(first);
    expect(world.requestedUrls).toHaveLength(requests);
    world.time += 1;
    expect(expectResult(await checkPath('/paid')).checkedAt).not.toBe(facts.checkedAt);
    const find = () =>
      findKeptCheck(context.db, { resource: world.toUrl('/paid'), method: null, now: world.time });
    world.time += DAY_MS - 1;
    expect(await find()).toMatchObject({ check: { outcome: 'pays' } });
    world.time += 1;
    expect(await find()).toBeNull();
  });

  test('is shared by concurrent requests of several clients, but not by methods', async () => {
    const outcomes = await Promise.all([
      checkPath('/paid'),
      checkPath('/paid', { client: '203.0.113.2' }),
      checkPath('/paid', { method: 'POST' }),
    ]);
    const [one, two, post] = outcomes.map(expectResult);
    expect(two).toBe(one);
    expect(post?.method).toBe('POST');
    // Each check requests the challenge twice.
    expect(world.requestedUrls).toHaveLength(4);
  });

  test('says what the catalog and the guard know about an endpoint', async () => {
    await listAndProbe(world, world.toUrl('/paid'));
    expect(expectResult(await checkPath('/paid'))).toMatchObject({
      directories: { status: 'listed', names: [expect.any(String) as string], delistedAt: null },
      guard: { decision: 'warn' },
    });
  });

  test('changes no other table', async () => {
    await listAndProbe(world, world.toUrl('/paid'));
    world.handlers.set('/paid', (response) => response.writeHead(500).end());
    const before = await readTables();
    expect(expectResult(await checkPath('/paid')).outcome).toBe('refused');
    expectResult(await checkPath('/unknown'));
    expect(await readTables()).toEqual(before);
    expect(world.changedTags).toEqual([]);
  });
});

const TABLES = [
  ...['endpoints', 'listings', 'schedules', 'leases', 'endpoint_states', 'observations', 'challenges'],
  ...['changes', 'daily_rollups', 'scoring_queue', 'daily_scores', 'snapshots', 'snapshot_details'],
  ...['search_texts', 'explore_entries', 'watch_log', 'page_expirations'],
] as const;

/** Reads all rows of the tables of the catalog, of observations and of scores. */
async function readTables(): Promise<unknown> {
  const rows = await Promise.all(
    TABLES.map(async (table) => {
      const { data, error } = await context.db.from(table as 'endpoints').select('*');
      if (error !== null) throw new Error(error.message);
      return [table, data.map((row) => JSON.stringify(row)).sort()] as const;
    }),
  );
  return Object.fromEntries(rows);
}

describe('limits', () => {
  /** Makes all requests wait, and returns a function that answers them. */
  function holdRequests(isHeld: (url: string) => boolean = () => true): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { prober, rateLimiter } = context.checkNetwork;
    const waiting: Prober = async (target) => {
      if (isHeld(target.url)) await promise;
      return prober(target);
    };
    service = createCheckService({ ...context, checkNetwork: { prober: waiting, rateLimiter } });
    return () => resolve(undefined);
  }

  /** Starts checks of several hosts, because one host has a limit of its own. */
  const startChecks = (client: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      check(world.toUrl(`/${at}`, `host-${client.replaceAll('.', '-')}-${at}`), { client }),
    );

  test('a client has at most 6 checks in the queue, which leaves room for other clients', async () => {
    const answer = holdRequests();
    const own = startChecks('203.0.113.1', 7);
    expect(findCode(await Promise.race(own))).toBe('rate-limited');
    const [other] = startChecks('203.0.113.2', 1);
    answer();
    expect(findCode(await (other ?? expect.fail()))).toBe('result');
    const codes = (await Promise.all(own)).map(findCode);
    expect(codes.filter((code) => code === 'result')).toHaveLength(6);
  });

  test('a full queue refuses a further client with a time to wait', async () => {
    const answer = holdRequests();
    // The requests reach the queue in any order, so any of the 49 can be the one too many.
    const all = Array.from({ length: 9 }, (_, at) => startChecks(`203.0.113.${at}`, at === 8 ? 1 : 6)).flat();
    expect(await Promise.race(all)).toMatchObject({
      ...{ code: 'rate-limited', retryAfterSeconds: 10 },
      detail: 'Too many checks are waiting. Send the request again in 10 seconds.',
    });
    answer();
    expect((await Promise.all(all)).filter((outcome) => findCode(outcome) !== 'result')).toHaveLength(1);
  });

  test('a check that waits for other checks of its client does not delay other clients', async () => {
    const answer = holdRequests((url) => url.includes('host-'));
    const slow = startChecks('203.0.113.1', 2);
    const waiting = checkPath('/paid');
    // During this check, the check before it enters the queue.
    expectResult(await checkPath('/other', { client: '203.0.113.2' }));
    expectResult(await checkPath('/paid', { client: '203.0.113.2' }));
    answer();
    const outcomes = await Promise.all([...slow, waiting]);
    expect(outcomes.map(findCode)).toEqual(['result', 'result', 'result']);
  });

  test('an address with too many connections is checked later', async () => {
    const prober: Prober = async (target) => {
      const probe = await context.prober(target);
      const failure = { phase: 'connect', code: CONNECTION_LIMIT_CODE, message: 'limit' } as const;
      return { ...probe, outcome: 'self-failure', httpStatus: null, failure };
    };
    const { rateLimiter } = context.checkNetwork;
    service = createCheckService({ ...context, checkNetwork: { prober, rateLimiter } });
    expect(await checkPath('/paid')).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 60 });
  });

  test('one host is checked at most 10 times a minute, whoever asks', async () => {
    for (let at = 0; at < 10; at += 1) expectResult(await checkPath(`/${at}`, { client: `203.0.113.${at}` }));
    const sent = world.requestedUrls.length;
    world.time += 30_000;
    expect(await checkPath('/last')).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 30 });
    expect(world.requestedUrls).toHaveLength(sent);
    expectResult(await check(world.toUrl('/last', 'other')));
    world.time += MINUTE_MS;
    expectResult(await checkPath('/last'));
  });

  test('a host that asks for a pause gets no further request', async () => {
    world.handlers.set('/busy', (response) => response.writeHead(429, { 'retry-after': '120' }).end());
    expect(expectResult(await checkPath('/busy')).outcome).toBe('unknown');
    const sent = world.requestedUrls.length;
    expect(await checkPath('/paid')).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 60 });
    expect(world.requestedUrls).toHaveLength(sent);
    // The probes of paid reports go on.
    expect(context.rateLimiter?.getPausedUntil(world.host, world.time)).toBeNull();
  });

  test('a host that asked for a pause during other probes is checked later', async () => {
    const paused = { httpStatus: 429, retryAfterSeconds: null };
    context.rateLimiter?.recordResponse(world.host, paused, world.time);
    expect(await checkPath('/paid')).toMatchObject({ code: 'rate-limited' });
    expect(world.requestedUrls).toEqual([]);
  });
});

describe('nothing is sent or kept', () => {
  test.each([
    ['https://user:secret@api.example.com/', 'invalid-request'],
    ['ftp://api.example.com/', 'invalid-request'],
    ['https://localhost/', 'not-probeable'],
    ['https://10.0.0.7/', 'not-probeable'],
    ['https://api.other.org/', 'not-probeable'],
  ])('for %s', async (resource, code) => {
    expect(findCode(await check(resource))).toBe(code);
    expect(world.requestedUrls).toEqual([]);
  });

  test('for an endpoint that was removed on request', async () => {
    const id = await listAndProbe(world, world.toUrl('/paid'));
    const removed_at = new Date(world.time).toISOString();
    await context.db.from('endpoints').update({ removed_at }).eq('id', id);
    expect(await checkPath('/paid')).toMatchObject({
      ...{ code: 'not-probeable', detail: expect.stringContaining('touchstone lint') as string },
    });
    expect(world.requestedUrls).toEqual([]);
  });

  test('for a host whose provider opted out of probing', async () => {
    const values = `('${world.host}', 'c_${'a'.repeat(26)}', '${new Date(world.time).toISOString()}')`;
    await world.database.connection.driver.exec(
      `insert into public.opt_outs (host, claim_id, opted_out_at) values ${values}`,
    );
    expect(await checkPath('/unknown')).toMatchObject({ code: 'not-probeable' });
    expect(world.requestedUrls).toEqual([]);
  });

  test('if this service has no network', async () => {
    const unreachable: Prober = async (target) => {
      const probe = await context.prober({ ...target, url: 'http://127.0.0.1:1/' });
      return { ...probe, url: target.url };
    };
    const canaries = { urls: ['https://canary.example/'], prober: unreachable };
    const checkNetwork = { ...context.checkNetwork, prober: unreachable };
    service = createCheckService({ ...context, checkNetwork, canaries, hostSuffix: null });
    expect(await checkPath('/paid')).toMatchObject({ code: 'internal' });
    const request = { resource: world.toUrl('/paid'), method: null, now: world.time };
    expect(await findKeptCheck(context.db, request)).toBeNull();
  });
});
