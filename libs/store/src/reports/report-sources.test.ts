import { HOUR_MS } from '@touchstone/common';
import { SCORING_VERSION, type ScoreInputs } from '@touchstone/trust';
import { describe, expect, it } from 'vitest';
import { readReportSources, readReportSubject, saveSnapshots, type SnapshotRow } from '../index.ts';
import { T0, makeEndpoint, makeSnapshotRow, useTestDatabase } from '../testing/fixtures.ts';

const database = useTestDatabase();

/** Inputs of the score of an endpoint that was never probed. */
const INPUTS: ScoreInputs = {
  now: T0,
  firstSeen: T0,
  listed: true,
  delistedAt: null,
  templated: false,
  description: null,
  probes: { total: 0, scored: 0, up: 0, excluded: 0, blocked: 0, redirected: 0 },
  envelopes: { pass: 0, warnings: 0, errors: 0, unpayable: 0 },
  last24h: { scored: 0, up: 0, free: 0, envelopes: { pass: 0, warnings: 0, errors: 0, unpayable: 0 } },
  last7d: { scored: 0, up: 0 },
  latency: null,
  changes: [],
  everChallenged: false,
  answeredFree: false,
  lastScoredAt: null,
  downSince: null,
  lastFailure: null,
  lastUpAt: null,
  lastChallengedAt: null,
  lastPayableAt: null,
  latestCompliance: null,
  watchedSince: null,
  advertised: null,
  medianPriceUsd30d: null,
  settlement: null,
  networksRead: null,
};
const FACTS = {
  firstByteMsP50: null,
  firstByteMsP95: null,
  responseMsP99: 100,
  responseMsMean: 90,
  lowestPriceUsd: null,
  highestPriceUsd: null,
  payToDistinct30d: null,
  lastProbedAt: T0,
  termsAt: null,
  challengeHash: null,
  complianceAt: null,
  causes30d: {},
  settlement: null,
};
const DETAIL = { scoringVersion: SCORING_VERSION, inputs: INPUTS, facts: FACTS };

describe('the data of a report', () => {
  const id = 'sourceaaaa';
  const save = (detail: SnapshotRow['detail']) => database.publish(id, T0 + HOUR_MS, { detail });
  const read = async () => (await readReportSources(database.db, [id])).get(id);

  it('has the inputs and the figures that were stored with the score', async () => {
    await database.discover('sources', T0, [id]);
    await save(DETAIL);
    expect(await read()).toMatchObject({ inputs: INPUTS, facts: FACTS, endpoint: { source: 'directory' } });
  });

  it('is refused when the stored inputs are not those of the formula', async () => {
    await save({ ...DETAIL, inputs: { everChallenged: true } });
    await expect(read()).rejects.toThrow();
  });
});

describe('related endpoints', () => {
  const host = 'related.example.com';
  const add = async (
    endpoints: Readonly<
      Record<string, { readonly path: string; readonly change?: Partial<SnapshotRow['snapshot']> }>
    >,
  ) => {
    const entries = Object.entries(endpoints);
    const resources = entries.map(([id, { path, change }]) => ({
      id,
      resource: `https://${host}${path}`,
      templated: change?.templated ?? false,
    }));
    await database.discover(
      'related',
      T0,
      resources.map(({ id, resource, templated }) => makeEndpoint(id, { resource, host, templated })),
    );
    const rows = entries.map(([id, { path, change }]) => {
      const snapshot = { resource: `https://${host}${path}`, host, ...change };
      return makeSnapshotRow(id, 50, { detail: DETAIL, snapshot });
    });
    await saveSnapshots(database.db, T0 + HOUR_MS, rows);
  };
  const readRelated = async (endpointId: string, path: string) => {
    const subject = await readReportSubject(database.db, {
      endpointId,
      host,
      pathUrl: `https://${host}${path}`,
      now: T0 + HOUR_MS,
      provisionalUntil: T0,
    });
    return subject.related;
  };

  it('have the same URL without its query, or are templates of the host', async () => {
    await add({
      relatedaaa: { path: '/price?symbol=BTC', change: { scoreLow: 40 } },
      relatedbbb: { path: '/price?symbol=ETH', change: { scoreLow: 45 } },
      relatedccc: { path: '/other' },
      relatedddd: { path: '/price/:symbol', change: { templated: true, scoreLow: 60, confidence: 0.4 } },
      relatedeee: { path: '/price?gone', change: { listingStatus: 'delisted' } },
    });
    const related = await readRelated('unknownaaa', '/price');
    expect(related.map(({ resource }) => resource)).toEqual([
      `https://${host}/price?symbol=ETH`,
      `https://${host}/price?symbol=BTC`,
      `https://${host}/price/:symbol`,
    ]);
    expect(related[2]).toEqual({
      resource: `https://${host}/price/:symbol`,
      slug: 'k-relatedddd',
      templated: true,
      source: 'directory',
      score: 50,
      grade: 'A',
      recommendation: 'proceed',
      confidence: 0.4,
    });
    const others = await readRelated('relatedaaa', '/price');
    expect(others.map(({ resource }) => resource)).not.toContain(`https://${host}/price?symbol=BTC`);
    expect(await readRelated('unknownaaa', '/none')).toHaveLength(1);
  });

  it('leave out provisional adoptions, and name adopted endpoints after those of directories', async () => {
    await add({
      relatedfff: { path: '/rate?q=1', change: { scoreLow: 20 } },
      relatedggg: { path: '/rate?q=2', change: { scoreLow: 90, listingSource: 'adopted' } },
    });
    const read = async () => (await readRelated('unknownaaa', '/rate')).map(({ slug }) => slug);
    const setProvisional = async (until: number | null) => {
      const provisional_until = until === null ? null : new Date(until).toISOString();
      await database.db.from('endpoints').update({ provisional_until }).eq('id', 'relatedggg');
    };
    await setProvisional(T0 + 2 * HOUR_MS);
    expect(await read()).toEqual(['k-relatedfff', 'k-relatedddd']);
    await setProvisional(null);
    expect(await read()).toEqual(['k-relatedfff', 'k-relatedddd', 'k-relatedggg']);
  });
});
