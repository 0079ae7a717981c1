import {
  NOT_IN_CATALOG,
  SCHEMAS,
  TOOLS,
  TRUST_REPORT_EXAMPLE,
  type Bulk,
  type History,
} from '@touchstone/contract';
import { FLAG_CATALOGUE } from '@touchstone/trust';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callWithBody, MAX_MESSAGE_BYTES, repeat, type Row } from './testing/call-with-body.ts';
import { connectClient, encodeHeader, REVISIONS } from './testing/connect-client.ts';

const RESOURCE = 'https://api.example.com/v1/weather';
const OWNER = { watch_id: `w_${'a'.repeat(26)}`, secret: `wsk_${'A'.repeat(43)}` };
const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00.000Z');

const toTime = (at: number): string => new Date(START + at).toISOString();
const getExample = (name: keyof typeof SCHEMAS) => structuredClone(SCHEMAS[name].example);

const ERROR_FLAGS = FLAG_CATALOGUE.filter(({ severity }) => severity === 'error').map(({ slug }) => slug);

/** Letters of all error flags in the lines of bulk scores. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.slice(0, ERROR_FLAGS.length);

/** Bulk scores of 500 endpoints, each of which has all error flags. */
const BULK: Bulk = {
  ...SCHEMAS['x402-trust-bulk'].schema.parse(getExample('x402-trust-bulk')),
  ...{ count: 500, found: 498 },
  results: repeat(500, (at) => ({
    resource: `${RESOURCE}/${String(at)}`,
    ...(at >= 498
      ? { ...NOT_IN_CATALOG, schemeVariant: at === 498 ? 'http://api.example.com/v1/weather/498' : null }
      : {
          ...{ found: true, schemeVariant: null },
          ...{ score: 34.9, grade: 'F' as const, recommendation: 'avoid' as const },
          ...{ confidence: 0.97, error_flags: ERROR_FLAGS },
          ...{ probed_at: toTime(at), computed_at: toTime(at), endpointPage: `${RESOURCE}/${String(at)}` },
        }),
  })),
};

const EVENT = SCHEMAS['x402-history'].schema.parse(getExample('x402-history')).snapshots[0];

/** History of 90 days with all probes, one every 30 minutes. The endpoint fails in every eleventh probe. */
const HISTORY: History = {
  ...SCHEMAS['x402-history'].schema.parse(getExample('x402-history')),
  days: 90,
  snapshots: EVENT === undefined ? [] : repeat(200, (at) => ({ ...EVENT, at: toTime(at * DAY_MS) })),
  probes: repeat(90 * 48, (at) => ({
    ...{ at: toTime((at * DAY_MS) / 48), amountUsd: '0.010000' },
    ...(at % 11 === 10
      ? { outcome: 'server-error', httpStatus: 502, error: 'http-502', latencyMs: null, compliant: null }
      : { outcome: 'challenged', httpStatus: 402, error: null, latencyMs: 200 + (at % 11), compliant: true }),
  })),
  daily: repeat(91, (at) => ({
    ...{ day: toTime(at * DAY_MS).slice(0, 10), probes: 48, scored: 48, up: 44 },
    ...{ latencyMsP50: 211.4, latencyMsP95: 590.9, score: 71.7 },
  })),
};

/** Largest history with the resolution `daily`. */
const DAILY_HISTORY: History = { ...HISTORY, snapshots: HISTORY.snapshots.slice(0, 9), probes: [] };

/** Report with all flags, and with the requirements of all passed rules. */
const SICK_REPORT = {
  ...TRUST_REPORT_EXAMPLE,
  compliance: {
    ...TRUST_REPORT_EXAMPLE.compliance,
    passedChecks: repeat(60, (at) => ({
      ...{ id: `rule-${String(at)}`, axis: 'payable' },
      ...{ message: 'A requirement of the specification. '.repeat(2), reference: 'x402, section 5' },
    })),
  },
  flags: Object.fromEntries(
    FLAG_CATALOGUE.map(({ slug, severity, message }) => [
      slug,
      { severity, message, evidence: { failures: 1_340, of: 1_440 }, since: toTime(0) },
    ]),
  ),
};

/** Preview with the report of a healthy endpoint, and with two reports of endpoints with all flags. */
const PREVIEW = {
  ...getExample('x402-trust-preview'),
  samples: ['best', 'median', 'worst'].map((role, at) => ({
    ...{ role, populationRank: at + 1 },
    report: role === 'best' ? TRUST_REPORT_EXAMPLE : SICK_REPORT,
  })),
};

const [MATCH] = SCHEMAS['semantic-search'].schema.parse(getExample('semantic-search')).matches;
const DESCRIPTION = 'Température et vent pour chaque ville 🌦'.repeat(20).slice(0, 499);
const LONG_URL = `${RESOURCE}?q=${'x'.repeat(1_900)}`;
const createMatches = (create: () => object) => ({
  ...{ query: 'a', count: 25 },
  matches: repeat(25, () => ({ ...MATCH, ...create() })),
});

const similar = SCHEMAS.similar.schema.parse(getExample('similar'));
const SIMILAR = { ...similar, count: 25, alternatives: repeat(25, () => similar.alternatives[0]) };
const leaderboard = SCHEMAS.leaderboard.schema.parse(getExample('leaderboard'));
const LEADERBOARD = { ...leaderboard, count: 25, endpoints: repeat(25, () => leaderboard.endpoints[0]) };

const page = SCHEMAS['watch-events'].schema.parse(getExample('watch-events'));
const repeatEvents = <Event>(event: Event) =>
  repeat(100, (at) => ({ ...event, event_id: `evt_${'a'.repeat(26)}_${String(at + 1)}` }));
const EVENTS = {
  ...page,
  events: repeatEvents(page.events[0]),
  watch_events: repeatEvents(page.watch_events[0]),
};

/** Largest real bodies that a tool can return, with arguments of the call. */
const LARGEST: readonly Row[] = [
  ['x402_trust_bulk', { resources: BULK.results.map(({ resource }) => resource) }, BULK],
  ['x402_endpoint_history', { resource: RESOURCE, days: 90 }, DAILY_HISTORY],
  ['x402_endpoint_history', { resource: RESOURCE, days: 90, resolution: 'all' }, HISTORY],
  ['x402_trust_score', { resource: RESOURCE, detail: 'full' }, SICK_REPORT],
  ['x402_trust_preview', {}, PREVIEW],
  ['x402_semantic_search', { query: 'a' }, createMatches(() => ({ description: DESCRIPTION }))],
  ['x402_semantic_search', { query: 'a' }, createMatches(() => ({ resource: LONG_URL }))],
  ['x402_find_alternatives', { resource: RESOURCE, limit: 25 }, SIMILAR],
  ['x402_trust_leaderboard', {}, LEADERBOARD],
  ['x402_watch_events', OWNER, EVENTS],
];

/** Responses of the other tools, which have no long lists. */
const EXAMPLES: readonly Row[] = [
  ['x402_summary', { resource: RESOURCE }, getExample('endpoint-summary')],
  ['x402_ecosystem_stats', {}, getExample('stats')],
  ['x402_watch_create', { endpoint: RESOURCE }, getExample('watch-created')],
  ['x402_watch_show', OWNER, getExample('watch')],
  ['x402_watch_edit', { ...OWNER, liveness_sensitivity_n: 5 }, getExample('watch')],
  ['x402_watch_cancel', OWNER, getExample('watch')],
  ['x402_watch_renew', { watch_id: OWNER.watch_id }, getExample('watch-renewed')],
];

const find = (name: string, at = 0): Row => LARGEST.filter((row) => row[0] === name)[at] ?? expect.fail();

describe.each(REVISIONS)('results with MCP %s', (revision) => {
  it.each([...LARGEST, ...EXAMPLES])('of %s have less than 20,000 bytes (%#)', async (...row) => {
    await callWithBody(revision, row);
  });
});

describe('long results', () => {
  const revision = '2026-07-28';

  it('are tested for each tool', () => {
    const tested = new Set([...LARGEST, ...EXAMPLES].map(([name]) => name));
    expect(TOOLS.filter(({ name }) => !tested.has(name))).toEqual([]);
  });

  it('of bulk scores have all 500 endpoints', async () => {
    const { truncated, results, ...body } = await callWithBody(revision, find('x402_trust_bulk'));
    const lines = z.array(z.string()).parse(results);
    expect(lines).toHaveLength(500);
    const expected = [`498,34.9,F,avoid,0.97,${LETTERS}`, '499,known as http', '500,unknown'];
    expect(lines.slice(-3)).toEqual(expected);
    expect(body).toMatchObject({
      ...{ count: 500, found: 498, columns: 'n,score,grade,recommendation,confidence,error_flags' },
      error_flags: { a: ERROR_FLAGS.toSorted()[0] },
    });
    expect(truncated).toMatch(
      / POST https:\/\/touchstone\.example\/v1\/x402-trust-bulk-500 with the same JSON body and the same payment .* 24 hours/,
    );
  });

  it('of a daily history have all days and events', async () => {
    const { truncated, snapshots, daily } = await callWithBody(revision, find('x402_endpoint_history'));
    expect([snapshots, daily]).toEqual([DAILY_HISTORY.snapshots, expect.anything()]);
    expect(z.array(z.string()).parse(daily)).toHaveLength(91);
    expect(daily).toContain('2026-03-01,48,48,44,211.4,590.9,71.7');
    expect(truncated).toContain('/v1/x402-history?resolution=daily with the same JSON body');
  });

  it('of all probes have the newest runs of equal probes', async () => {
    const { truncated, probes, snapshots } = await callWithBody(revision, find('x402_endpoint_history', 1));
    const lines = z.array(z.string()).parse(probes);
    expect(lines.at(-1)).toBe(
      '2026-05-29T20:00Z,2026-05-29T23:30Z,8,8,challenged,402,,true,0.010000,200,207',
    );
    expect(lines.at(-2)).toBe(
      '2026-05-29T19:30Z,2026-05-29T19:30Z,1,0,server-error,502,http-502,,0.010000,,',
    );
    expect(z.array(z.unknown()).parse(snapshots).at(-1)).toEqual(HISTORY.snapshots.at(-1));
    expect(truncated).toContain(`\`probes\` has the last ${String(lines.length)} of 785.`);
  });

  it('of a report say that the signature covers the whole', async () => {
    const { truncated, score } = await callWithBody(revision, find('x402_trust_score'));
    expect(score).toBe(SICK_REPORT.score);
    expect(truncated).toMatch(
      /`signature` covers only the whole body\. .*\/v1\/x402-trust\?detail=full with/,
    );
  });

  it('of a report have the newest changes', async () => {
    const { changes, ...stats } = TRUST_REPORT_EXAMPLE.stats;
    const all = repeat(25_000, (at) => ({
      ...{ kind: 'price_change', at: toTime(at * 1_000) },
      ...{ before: at < 24_980 ? null : '0.010000', after: at < 24_980 ? null : '0.020000' },
    }));
    const report = { ...TRUST_REPORT_EXAMPLE, stats: { ...stats, changes: { ...changes, events: all } } };
    const { truncated, ...short } = await callWithBody(revision, [
      'x402_trust_score',
      { resource: RESOURCE },
      report,
    ]);
    const { events } = SCHEMAS['x402-trust'].schema.parse(short).stats.changes;
    expect(events.length).toBeGreaterThan(50);
    expect(events).toEqual(all.slice(-events.length));
    expect(truncated).toContain(`\`stats.changes.events\` has the last ${String(events.length)} of 25000.`);
  });

  it('of a preview have one complete report', async () => {
    const { truncated, samples } = await callWithBody(revision, find('x402_trust_preview'));
    expect(samples).toMatchObject([
      { role: 'best', report: TRUST_REPORT_EXAMPLE },
      { role: 'median', report: { resource: SICK_REPORT.resource, flags: Object.keys(SICK_REPORT.flags) } },
      { role: 'worst', report: { reasons: SICK_REPORT.reasons } },
    ]);
    expect(truncated).toContain('GET https://touchstone.example/v1/x402-trust-preview returns the whole');
  });

  it('of a search have all matches with short descriptions, or the best matches', async () => {
    const described = await callWithBody(revision, find('x402_semantic_search'));
    const short = `${[...DESCRIPTION].slice(0, 100).join('')}…`;
    expect(described['matches']).toEqual(
      Array.from({ length: 25 }, () => ({ ...MATCH, description: short })),
    );
    const { truncated, matches } = await callWithBody(revision, find('x402_semantic_search', 1));
    const { length } = z.array(z.unknown()).parse(matches);
    expect(length).toBeGreaterThan(5);
    expect(truncated).toContain(`\`matches\` has the first ${String(length)} of 25.`);
  });

  it('of the events of a watch have the cursors of the next page', async () => {
    const { truncated, ...page } = await callWithBody(revision, find('x402_watch_events'));
    const { events, watch_events: watchEvents, ...cursors } = SCHEMAS['watch-events'].schema.parse(page);
    expect(events.length).toBeLessThan(100);
    expect(cursors).toMatchObject({
      next_cursor: events.at(-1)?.event_id,
      watch_events_cursor: watchEvents.at(-1)?.event_id,
      has_more: true,
    });
    expect(truncated).toContain('Call the tool again with both cursors');
  });

  it('of a payment of version 1 name the time for which its result is stored', async () => {
    const headers = { 'x-payment-response': encodeHeader({ success: true }) };
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(Response.json(BULK, { headers })),
    });
    const meta = { 'x402.payment': { x402Version: 1, payload: {} } };
    const { texts } = await server.callTool('x402_trust_bulk', find('x402_trust_bulk')[1], { meta });
    expect(texts[0]).toContain('within 10 minutes');
  });

  it('are stored where the server of the program can store them', async () => {
    const stored: object[] = [];
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(Response.json(BULK)),
      storeWhole: (_, body) => {
        stored.push(body);
        return Promise.resolve('The whole result is in /tmp/a.json.');
      },
    });
    const { texts } = await server.callTool('x402_trust_bulk', find('x402_trust_bulk')[1]);
    expect(texts[0]).toContain('The whole result is in /tmp/a.json.');
    expect(stored).toEqual([BULK]);
  });
});

describe('error results', () => {
  it('have less than 20,000 bytes', async () => {
    await using server = await connectClient('2026-07-28');
    const resources = repeat(500, (at) => `not a URL ${String(at)} ${'x'.repeat(90)}`);
    expect(await server.callTool('x402_trust_bulk', { resources })).toMatchObject({ isError: true });
    expect(await server.readSize()).toBeLessThan(MAX_MESSAGE_BYTES);
  });
});
