import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect } from '@touchstone/store';
import { ADOPTIONS_PER_HOST } from './adopt.ts';
import { discover } from './discover.ts';
import type { ReportContext, ReportOutcome } from './report-context.ts';
import { sweep } from './sweep.ts';
import { reportContextOf, soundReport } from './testing/reports.ts';
import { serveSecurely } from './testing/secure.ts';
import { challenge, createWorld, item, type World } from './testing/world.ts';
import { trustReport } from './trust-report.ts';

const keys = createKeys();
const MINUTE = 60_000;
let database: EmbeddedDatabase;
let world: World;
let secure: Awaited<ReturnType<typeof serveSecurely>>;
let context: ReportContext;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  tests += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 0, tests));
  world.answers.set('/paid', challenge);
  secure = await serveSecurely(world, [host()]);
  context = reportContextOf(world, { prober: secure.prober });
});
afterEach(async () => {
  await secure.close();
  await world.close();
});

const host = (): string => `a${tests}.example.com`;
const url = (path: string): string => `https://${host()}${path}`;

const report = async (resource: string) => soundReport(await trustReport(context, { resource }));

const codeOf = (outcome: ReportOutcome): string => (outcome.kind === 'problem' ? outcome.code : 'a report');

/** What is stored of the endpoints of the test's host. */
async function stored() {
  const { data } = await world.context.db
    .from('endpoints')
    .select(
      'id, resource, listing_status, adopted_at, service_name, description, schedules (interval_seconds)',
    )
    .eq('host', host())
    .order('resource');
  return data ?? [];
}

describe('an endpoint that nobody listed', () => {
  it('is adopted with its first report', async () => {
    const first = await report(url('/paid'));
    expect(first).toMatchObject({
      resource: url('/paid'),
      description: 'Weather by city',
      freshness: { live: true, ageSeconds: 0 },
      listing: { status: 'listed', firstSeen: new Date(world.time).toISOString() },
      stats: { probes: 1, up: 1 },
      advertised: { amountUsd: '0.010000' },
    });
    expect(Object.keys(first.flags)).toEqual(expect.arrayContaining(['first-contact', 'low-confidence']));
    expect(first.confidence).toBeLessThan(0.05);
    expect(world.asked).toEqual([url('/paid')]);
    const [endpoint] = await stored();
    expect(endpoint).toMatchObject({ id: first.endpointId, listing_status: 'listed', schedules: {} });
    expect(Date.parse(endpoint?.adopted_at ?? '')).toBe(world.time);
    const { data } = await world.context.db
      .from('changes')
      .select('kind')
      .eq('endpoint_id', first.endpointId);
    expect(data).toEqual([{ kind: 'listed' }]);
  });

  it('is probed by the schedule from then on, and is new no more after a day', async () => {
    const { endpointId } = await report(url('/paid'));
    world.time += 30 * MINUTE;
    await sweep({ ...world.context, prober: secure.prober });
    world.time += 24 * 60 * MINUTE;
    const later = await report(url('/paid'));
    expect(later).toMatchObject({ endpointId, stats: { probes: 2 } });
    expect(later.flags).not.toHaveProperty('first-contact');
  });

  it.each([
    [200, 'free'],
    [404, 'avoid'],
    [500, 'avoid'],
    [403, 'unverified'],
  ])('is adopted when it answers %i', async (status, recommendation) => {
    world.answers.set('/odd', (response) => response.writeHead(status).end('{"a":1}'));
    expect(await report(url('/odd'))).toMatchObject({ recommendation, freshness: { live: true } });
    expect(await stored()).toHaveLength(1);
  });

  it('is asked by POST too before it is taken for nothing', async () => {
    world.answers.set('/post', (response, at) => {
      if (response.req.method === 'POST') challenge(response, at);
      else response.writeHead(405).end();
    });
    expect((await report(url('/post'))).advertised?.amountUsd).toBe('0.010000');
    expect(world.asked).toHaveLength(2);
  });

  it('has a first miss looked at once more', async () => {
    world.answers.set('/down', (response) => response.writeHead(503).end());
    const { endpointId } = await report(url('/down'));
    const { data } = await world.context.db.from('leases').select('confirms').eq('endpoint_id', endpointId);
    expect(data).toEqual([{ confirms: true }]);
  });

  it('is one row when two processes adopt it at once', async () => {
    const other = { ...context, db: connect({ url: database.url, key: keys.secret }) };
    const outcomes = await Promise.all([
      trustReport(context, { resource: url('/paid') }),
      trustReport(other, { resource: url('/paid') }),
    ]);
    const reports = outcomes.map(soundReport);
    expect(new Set(reports.map(({ endpointId }) => endpointId)).size).toBe(1);
    expect(await stored()).toHaveLength(1);
    expect(reports.map(({ stats }) => stats.probes)).toEqual([1, 1]);
  });

  it('carries a hostile name and description as plain text', async () => {
    const hostile = `</script>\u202e\u0000${'x'.repeat(9_000)}`;
    world.answers.set('/hostile', (response, at) => {
      const terms = {
        x402Version: 2,
        resource: { url: at, description: hostile, serviceName: hostile, mimeType: 'application/json' },
        accepts: [],
      };
      const encoded = Buffer.from(JSON.stringify(terms)).toString('base64');
      response.writeHead(402, { 'payment-required': encoded }).end('{}');
    });
    await report(url('/hostile'));
    expect(await stored()).toHaveLength(1);
  });
});

describe('nothing is stored', () => {
  it('of what gives no answer', async () => {
    const refused = await serveSecurely(world, ['other.example.com']);
    const unreachable: readonly ReportContext['prober'][] = [
      refused.prober,
      (target) => world.context.prober({ ...target, url: 'http://127.0.0.1:1/' }),
    ];
    for (const prober of unreachable) {
      const outcome = await trustReport({ ...context, prober }, { resource: url('/paid') });
      expect(codeOf(outcome)).toBe('not-probeable');
    }
    await refused.close();
    expect(await stored()).toEqual([]);
  });

  it('of a name that leads to a private address', async () => {
    const inside = await serveSecurely(world, [host()], {
      resolver: () => Promise.resolve([{ address: '10.0.0.7', family: 4 }]),
    });
    const outcome = await trustReport({ ...context, prober: inside.prober }, { resource: url('/paid') });
    await inside.close();
    expect(codeOf(outcome)).toBe('not-probeable');
    expect(outcome).toHaveProperty('detail', 'Its host leads to an address that is not public.');
    expect(await stored()).toEqual([]);
  });

  it('of plain http, of hosts that are not asked from here, and while nobody is asked', async () => {
    const plain = await trustReport(context, { resource: `http://${host()}/paid` });
    const outside = await trustReport(context, { resource: 'https://api.example.org/paid' });
    const past = { ...context, mayProbe: () => Promise.resolve(false) };
    const later = await trustReport(past, { resource: url('/paid') });
    expect([plain, outside, later].map(codeOf)).toEqual(Array.from({ length: 3 }, () => 'not-probeable'));
    expect(world.asked).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('when the failure was our own, which is no fault of the endpoint', async () => {
    const prober: ReportContext['prober'] = async (target) => ({
      ...(await world.context.prober({ ...target, url: 'http://127.0.0.1:1/' })),
      outcome: 'self-failure',
    });
    const outcome = await trustReport({ ...context, prober }, { resource: url('/paid') });
    expect(codeOf(outcome)).toBe('internal');
    expect(await stored()).toEqual([]);
  });

  it('of more addresses of one host in a day than it may have', async () => {
    const adoptions = Array.from({ length: ADOPTIONS_PER_HOST + 5 }, (_, i) => {
      world.answers.set(`/many/${i}`, challenge);
      return trustReport(context, { resource: url(`/many/${i}`) });
    });
    const codes = (await Promise.all(adoptions)).map(codeOf);
    expect(codes.filter((code) => code === 'a report')).toHaveLength(ADOPTIONS_PER_HOST);
    expect(codes.filter((code) => code === 'not-probeable')).toHaveLength(5);
    expect(await stored()).toHaveLength(ADOPTIONS_PER_HOST);
    const asked = world.asked.length;
    expect(codeOf(await trustReport(context, { resource: url('/many/99') }))).toBe('not-probeable');
    expect(world.asked).toHaveLength(asked);
    // What is there already is reported on, and the next day brings new ones.
    expect((await stored())[0]?.resource).toBe(url('/many/0'));
    world.time += 24 * 60 * MINUTE + 1;
    expect(codeOf(await trustReport(context, { resource: url('/many/99') }))).toBe('a report');
  }, 60_000);
});

describe('a directory', () => {
  const readDirectory = async (items: unknown[]): Promise<void> => {
    world.time += 60 * MINUTE;
    world.items = items;
    await discover(world.context);
  };
  const others = () => ['/1', '/2', '/3'].map((path) => item(url(path)));

  it('that does not know what was adopted does not delist it', async () => {
    await report(url('/paid'));
    for (let read = 0; read < 4; read += 1) await readDirectory(others());
    expect((await report(url('/paid'))).listing.status).toBe('listed');
  });

  it('delists what it has listed meanwhile and dropped', async () => {
    await report(url('/paid'));
    await readDirectory([...others(), item(url('/paid'), { serviceName: 'Skies' })]);
    expect(await report(url('/paid'))).toMatchObject({ serviceName: 'Skies', listing: { status: 'listed' } });
    await readDirectory(others());
    await readDirectory(others());
    const gone = await report(url('/paid'));
    expect(gone.listing.status).toBe('delisted');
    expect(gone.flags).toHaveProperty('delisted');
    await readDirectory([...others(), item(url('/paid'))]);
    expect((await report(url('/paid'))).listing.status).toBe('listed');
  });
});
