import { findFigures } from '@touchstone/common/testing';
import { TRUST_REPORT_EXAMPLE } from '@touchstone/contract';
import { toLeaderboard } from '@touchstone/pipeline/reports/public-responses';
import { toSummary } from '@touchstone/pipeline/summaries/create-endpoint-summary';
import type { ListedSnapshot } from '@touchstone/store';
import { EndpointList } from '@touchstone/ui';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { extractText } from '../testing/html-text.ts';
import { createTestProvider } from '../testing/test-provider.ts';
import { createTestSnapshot } from '../testing/test-snapshot.ts';
import { createEndpointMetadata } from './endpoint/endpoint-report.tsx';
import { renderReport } from './endpoint/testing/render-report.tsx';
import { TopEndpoints } from './home/live-sections.tsx';
import { Leaderboard } from './leaderboard/leaderboard.tsx';
import { createBadge } from './pictures/create-badge.ts';
import { createPictureContent } from './pictures/picture-layout.tsx';
import { createProviderMetadata } from './provider/provider-page.ts';
import { ProviderView } from './provider/provider-view.tsx';

const { score, scoreRange, confidence, stats, advertised, components } = TRUST_REPORT_EXAMPLE;
/** 1,431 of 1,434 probes are 99.79 %. */
const uptime30d = 99.7;
/** Figures of the snapshot that was stored with the example report. */
const FIGURES = {
  ...{ score, scoreLow: scoreRange.low, scoreHigh: scoreRange.high, confidence, uptime30d },
  ...{ latencyMs: stats.avgLatencyMs, amountUsd: advertised.amountUsd },
  ...{ latencyMsP50: stats.latency?.p50 ?? null, latencyMsP95: stats.latency?.p95 ?? null },
};
const SNAPSHOT = createTestSnapshot(FIGURES);
const PROVIDER = createTestProvider({
  days: [],
  uptime30d,
  lowestPriceUsd: '0.010000',
  highestPriceUsd: '0.010000',
});
const render = (element: React.ReactElement) => extractText(renderToStaticMarkup(element));

const SCORE = ['91.9'];
const CONFIDENCE = ['1.00 of 1'];
const UPTIME = ['99.7 %'];
const LATENCY = ['268 ms'];
const PRICE = ['$0.01'];

it.each([
  ['report', components.uptime.explanation, { percent: UPTIME }],
  [
    'leaderboard',
    render(<Leaderboard snapshots={[SNAPSHOT]} />),
    { confidence: ['0.50 of 1'], percent: UPTIME, price: PRICE },
  ],
  [
    'list by latency',
    render(<EndpointList endpoints={[SNAPSHOT]} sortedBy="latency" />),
    { percent: UPTIME, latency: LATENCY, price: PRICE },
  ],
  [
    'provider page',
    render(<ProviderView provider={PROVIDER} snapshots={[SNAPSHOT]} claim={null} />),
    { percent: [...UPTIME, '33.3 %', '25.0 %', '16.7 %', '12.5 %', '8.3 %', '4.2 %'], price: PRICE },
  ],
  ['provider metadata', createProviderMetadata(PROVIDER).description ?? '', { percent: UPTIME }],
  [
    'front page',
    render(<TopEndpoints snapshots={[SNAPSHOT]} />).replace(/Score (\d\S+)/, '$1 of 100'),
    { score: SCORE, percent: UPTIME, price: PRICE },
  ],
  ['endpoint metadata', createEndpointMetadata(SNAPSHOT).description ?? '', { score: SCORE }],
  ['picture', Object.values(createPictureContent(SNAPSHOT)).join(' '), { percent: UPTIME }],
  ['badge', createBadge(SNAPSHOT), { score: SCORE }],
] as const)('the %s has the figures of the report', (_surface, text, expected) => {
  expect(findFigures(text)).toEqual(expected);
});

it('the endpoint page has the figures of the report', () => {
  const figures = findFigures(extractText(renderReport(FIGURES)));
  expect(figures).toMatchObject({ score: SCORE, confidence: CONFIDENCE, percent: UPTIME });
  expect(figures.latency).toEqual(['214 ms', '611 ms', ...LATENCY]);
  expect(figures.price).toContain('$0.01');
});

it.each([
  ['leaderboard', (snapshot) => render(<Leaderboard snapshots={[snapshot]} />)],
  [
    'provider page',
    (snapshot) => render(<ProviderView provider={PROVIDER} snapshots={[snapshot]} claim={null} />),
  ],
  ['picture', (snapshot) => createPictureContent(snapshot).uptime],
] as const satisfies readonly [string, (snapshot: ListedSnapshot) => string][])(
  'the %s says how long every probe has been blocked',
  (_surface, show) => {
    const blocked = { uptime30d: 100, scoredProbes30d: 94, blockedSince: '2026-02-20T00:00:00.000Z' };
    expect(show(createTestSnapshot(blocked))).toContain('100 % of 94 scored, blocked since 2026-02-20');
  },
);

it('the summary has the figures of the report', () => {
  const context = { baseUrl: 'https://touchstone.example', vantage: 'Test lab', now: () => 0 };
  const request = { resource: SNAPSHOT.resource, endpointId: null, payTo: null, network: null };
  const found = { match: 'exact' as const, snapshot: SNAPSHOT, payTo: null, provider: null };
  expect(toSummary(context, request, found).endpoint).toMatchObject({
    ...{ score, confidence, uptime30d, latencyMs: stats.avgLatencyMs, amountUsd: '0.010000' },
  });
});

it('the JSON of the leaderboard has the figures of the report', () => {
  const options = { baseUrl: 'https://touchstone.example', generatedAt: 0 };
  expect(toLeaderboard([SNAPSHOT], options).endpoints).toMatchObject([
    { score, scoreLow: scoreRange.low, confidence, uptime30d: 99.7, amountUsd: '0.010000' },
  ]);
});
