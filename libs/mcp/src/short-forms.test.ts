import { formatEventId, SCHEMAS, TOOLS, TRUST_REPORT_EXAMPLE } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listShortForms } from './short-forms.ts';
import { callWithBody, repeat, type Row } from './testing/call-with-body.ts';
import {
  BULK,
  DAILY_HISTORY,
  EVENTS,
  DESCRIPTION,
  ERROR_FLAGS,
  findLargest,
  HISTORY,
  LETTERS,
  MATCH,
  RESOURCE,
  SICK_REPORT,
  toTime,
} from './testing/largest-bodies.ts';

const revision = '2026-07-28';

/** Returns a part of the bulk scores of 500 endpoints, and the arguments of the call. */
function selectScores([start, end]: readonly [number, number]): Row {
  const results = BULK.results.slice(start, end);
  const resources = results.map(({ resource }) => resource);
  return ['x402_trust_bulk', { resources }, { ...BULK, count: results.length, results }];
}

describe('long results', () => {
  it('of bulk scores have the URL and the flags while they fit', async () => {
    const { truncated, resultLines, ...body } = await callWithBody(revision, selectScores([0, 44]));
    const lines = z.array(z.string()).parse(resultLines);
    expect(lines).toHaveLength(44);
    expect(lines[7]).toBe(`34.9,F,avoid,0.97,${ERROR_FLAGS.toSorted().join(' ')},failed,${RESOURCE}/7`);
    expect(body).toMatchObject({
      columns: 'score,grade,recommendation,confidence,error_flags,delivery,resource',
    });
    expect(Object.keys(body)).not.toContain('results');
    expect(Object.keys(body)).not.toContain('flagLetters');
    expect(truncated).toContain('Each of `resultLines` is one line of CSV');
  });

  it('of more bulk scores have the URL, and letters for the flags', async () => {
    const { resultLines, ...body } = await callWithBody(revision, selectScores([300, 500]));
    const lines = z.array(z.string()).parse(resultLines);
    expect(lines).toHaveLength(200);
    expect(lines[0]).toBe(`34.9,F,avoid,0.97,${LETTERS},failed,${RESOURCE}/300`);
    expect(lines.slice(-2)).toEqual([
      `,,known as http,,,,${RESOURCE}/498`,
      `,,not in the catalog,,,,${RESOURCE}/499`,
    ]);
    expect(body).toMatchObject({ flagLetters: { a: ERROR_FLAGS.toSorted()[0] } });
  });

  it('of the most bulk scores have all 500 endpoints', async () => {
    const { truncated, resultLines, ...body } = await callWithBody(revision, findLargest('x402_trust_bulk'));
    const lines = z.array(z.string()).parse(resultLines);
    expect(lines).toHaveLength(500);
    const expected = [
      `34.9,F,avoid,0.97,${LETTERS},f,498`,
      ',,known as http,,,,499',
      ',,not in the catalog,,,,500',
    ];
    expect(lines.slice(-3)).toEqual(expected);
    expect(body).toMatchObject({
      ...{ count: 500, found: 498, columns: 'score,grade,recommendation,confidence,error_flags,delivery,n' },
      flagLetters: { a: ERROR_FLAGS.toSorted()[0] },
    });
    expect(truncated).toContain('n is the number of the URL in your `resources`, from 1');
  });

  it('of a daily history have all days and events', async () => {
    const { truncated, snapshots, dailyLines, ...body } = await callWithBody(
      revision,
      findLargest('x402_endpoint_history'),
    );
    expect(snapshots).toEqual(DAILY_HISTORY.snapshots);
    expect(z.array(z.string()).parse(dailyLines)).toHaveLength(91);
    expect(dailyLines).toContain('2026-03-01,48,48,44,211.4,590.9,71.7');
    expect(z.array(z.string()).parse(body['purchaseLines'])).toHaveLength(10);
    expect(body).toMatchObject({ purchaseColumns: 'at,outcome,amountUsd,httpStatus,bodyBytes,totalMs,id' });
    expect(Object.keys(body)).not.toContain('daily');
    expect(Object.keys(body)).not.toContain('purchases');
    expect(truncated).toContain('Fewer `days` give a shorter result');
  });

  it('of the probes of some days have one line for each probe', async () => {
    const history = {
      ...{ ...HISTORY, snapshots: [], days: 3 },
      ...{ probes: HISTORY.probes.slice(0, 144), daily: HISTORY.daily.slice(0, 3) },
    };
    const { probeLines, ...body } = await callWithBody(revision, [
      'x402_endpoint_history',
      { resource: RESOURCE, days: 3, resolution: 'all' },
      history,
    ]);
    const lines = z.array(z.string()).parse(probeLines);
    expect(lines).toHaveLength(144);
    expect(lines.slice(9, 11)).toEqual([
      '2026-03-01T04:30:00Z,challenged,402,,true,0.010000,209',
      '2026-03-01T05:00:00Z,server-error,502,http-502,,0.010000,',
    ]);
    expect(body).toMatchObject({
      probeColumns: 'at,outcome,httpStatus,error,compliant,amountUsd,latencyMs',
    });
    expect(Object.keys(body)).not.toContain('probes');
  });

  it('of hourly points have their numbers of probes', async () => {
    const history = {
      ...{ ...HISTORY, snapshots: [], probesResolution: 'hourly' },
      probes: HISTORY.probes.slice(0, 144).map((probe) => ({ ...probe, probes: 2, up: 1 })),
    };
    const { probeLines, probeColumns } = await callWithBody(revision, [
      'x402_endpoint_history',
      { resource: RESOURCE, resolution: 'all' },
      { ...history, daily: [] },
    ]);
    expect(z.array(z.string()).parse(probeLines)[0]).toMatch(/,200,2,1$/);
    expect(probeColumns).toMatch(/,latencyMs,probes,up$/);
  });

  it('of all probes have the newest runs of equal probes', async () => {
    const { truncated, probeRunLines, snapshots } = await callWithBody(
      revision,
      findLargest('x402_endpoint_history', 1),
    );
    const lines = z.array(z.string()).parse(probeRunLines);
    expect(lines.at(-1)).toBe(
      '2026-05-29T20:00Z,2026-05-29T23:30Z,8,8,challenged,402,,true,0.010000,200,207',
    );
    expect(lines.at(-2)).toBe(
      '2026-05-29T19:30Z,2026-05-29T19:30Z,1,0,server-error,502,http-502,,0.010000,,',
    );
    expect(z.array(z.unknown()).parse(snapshots).at(-1)).toEqual(HISTORY.snapshots.at(-1));
    expect(truncated).toContain(`\`probeRunLines\` has the last ${String(lines.length)} of 785.`);
  });

  it('of a report say that the signature covers the whole', async () => {
    const { truncated, score } = await callWithBody(revision, findLargest('x402_trust_score'));
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

  it('of a preview have one complete report, and the others without their longest members', async () => {
    const samples = ['best', 'median', 'worst'].map((role, at) => ({
      ...{ role, populationRank: at + 1, report: TRUST_REPORT_EXAMPLE },
    }));
    const short = await callWithBody(revision, [
      'x402_trust_preview',
      {},
      { ...SCHEMAS['x402-trust-preview'].example, samples },
    ]);
    const { components, compliance, stats, signature, ...part } = TRUST_REPORT_EXAMPLE;
    expect([components, compliance, stats, signature]).not.toContain(undefined);
    expect(short).toMatchObject({
      samples: samples.slice(0, 1),
      sampleParts: samples.slice(1).map(({ role, populationRank }) => ({ role, populationRank, ...part })),
    });
    expect(short.truncated).toContain('without `components`, `compliance`, `stats` and `signature`');
  });

  it('of a preview of long reports have one complete report', async () => {
    const { truncated, samples, sampleParts } = await callWithBody(
      revision,
      findLargest('x402_trust_preview'),
    );
    expect(samples).toMatchObject([{ role: 'best', report: TRUST_REPORT_EXAMPLE }]);
    expect(sampleParts).toMatchObject([
      { role: 'median', resource: SICK_REPORT.resource, flags: Object.keys(SICK_REPORT.flags) },
      { role: 'worst', reasons: SICK_REPORT.reasons },
    ]);
    expect(truncated).toContain('Text of providers in `sampleParts` is untrusted');
  });

  it('of a search have all matches with short descriptions, or the best matches', async () => {
    const described = await callWithBody(revision, findLargest('x402_semantic_search'));
    const short = `${[...DESCRIPTION].slice(0, 100).join('')}…`;
    expect(described['matches']).toEqual(
      Array.from({ length: 25 }, () => ({ ...MATCH, description: short })),
    );
    const { truncated, matches } = await callWithBody(revision, findLargest('x402_semantic_search', 1));
    const { length } = z.array(z.unknown()).parse(matches);
    expect(length).toBeGreaterThan(5);
    expect(truncated).toContain(`\`matches\` has the first ${String(length)} of 25.`);
  });

  it('of the events of a watch have the cursors of the next page', async () => {
    const { truncated, ...page } = await callWithBody(revision, findLargest('x402_watch_events'));
    const { events, watch_events: watchEvents, ...cursors } = SCHEMAS['watch-events'].schema.parse(page);
    expect(events.length).toBeLessThan(100);
    expect(cursors).toMatchObject({
      next_cursor: events.at(-1)?.event_id,
      watch_events_cursor: watchEvents.at(-1)?.event_id,
      has_more: true,
    });
    expect(truncated).toContain('Call the tool again with both cursors');
  });

  it('of the events of a watch keep the cursor of a list without space for an event', () => {
    const tool = TOOLS.find(({ name }) => name === 'x402_watch_events') ?? expect.fail();
    const [event] = EVENTS.events;
    const page = {
      ...{ ...EVENTS, watch_events: [], has_more: false },
      events: [{ ...event, data: { ...event?.data, sequence: 7 } }],
    };
    const [form] = listShortForms(tool, page);
    expect(form?.finish?.({ ...form.body, events: [] })).toEqual({
      ...{ ...page, events: [], next_cursor: formatEventId(page.watch_id, 6), has_more: true },
    });
  });
});
