import type { Snapshot } from '@touchstone/store';
import { NextRequest } from 'next/server';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { decodeCompareParams, parseCompareParams, routeComparePage } from './compare-params.ts';
import { Compare } from './compare.tsx';

const IDS = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd', 'eeeeeeeeee'];
const parse = (query: string) => parseCompareParams(new URLSearchParams(query));

describe('the parameters of the comparison', () => {
  it.each([
    ['', { ids: [], isCut: false, ignored: [] }],
    [
      'endpoint=a-example-aaaaaaaaaa&endpoint=bbbbbbbbbb',
      { ids: ['aaaaaaaaaa', 'bbbbbbbbbb'], isCut: false, ignored: [] },
    ],
    ['endpoint=a-aaaaaaaaaa,aaaaaaaaaa&other=1', { ids: ['aaaaaaaaaa'], isCut: false, ignored: [] }],
    ['endpoint=<b>,aaaaaaaaaa', { ids: ['aaaaaaaaaa'], isCut: false, ignored: ['endpoint=<b>'] }],
    [`endpoint=${IDS.join()}`, { ids: IDS.slice(0, 4), isCut: true, ignored: [] }],
  ])('of ?%s are %j', (query, expected) => {
    expect(parse(query)).toEqual(expected);
  });

  it.each(['', `?endpoint=${IDS.join()},Z`])(
    'of %j are routed to a page that is not stored',
    async (query) => {
      const request = new NextRequest(`http://localhost/compare${query}`);
      const response = await routeComparePage(request, (_, respond) => respond());
      expect(response.headers.get('cache-control')).toBe('no-store');
      const target = response.headers.get('x-middleware-rewrite') ?? '';
      const [, segment = ''] = /\/on-demand\/page\/compare\/([\w-]+)$/.exec(target) ?? [];
      expect(decodeCompareParams(segment)).toEqual(parse(query));
    },
  );
});

const DELIVERY: Snapshot['delivery'] = {
  state: 'delivered',
  last: {
    ...{ id: 'p_k5xgq2dlmvzw433bnz2gs3tbme', at: '2026-03-04T10:00:00.000Z', amountUsd: '0.010000' },
    ...{ outcome: 'delivered', httpStatus: 200, bodyBytes: 412, schemaFindings: 0, totalMs: 820 },
  },
  buyers: { delivered: 0, failed: 0 },
};
const [one, other] = [
  createTestSnapshot({ endpointId: 'aaaaaaaaaa', slug: 'one-aaaaaaaaaa', delivery: DELIVERY }),
  createTestSnapshot({
    ...{ endpointId: 'bbbbbbbbbb', slug: 'other-bbbbbbbbbb', resource: 'https://other.example/<b>' },
    ...{
      recommendation: 'unverified',
      grade: '?',
      confidence: 0.1,
      amountUsd: null,
      network: null,
      payOn: [],
    },
    ...{
      uptime30d: null,
      latencyMsP50: null,
      listingStatus: 'delisted',
      delistedAt: '2026-02-01T00:00:00.000Z',
    },
  }),
];
const render = (query: string, ...snapshots: readonly (typeof one)[]) =>
  renderToStaticMarkup(<Compare compared={parse(query)} snapshots={snapshots} />);

describe('the comparison', () => {
  it('shows the figures of each endpoint in a column', () => {
    const html = render('endpoint=aaaaaaaaaa,bbbbbbbbbb', one, other);
    const text = extractText(html);
    for (const row of [
      'Recommendation Proceed Unverified',
      '87.4 range 85.1 to 88.9',
      'no score range',
      'Confidence 0.87 of 1 0.10 of 1',
      'Price per call $0.005 USDC not advertised',
      'Uptime, last 30 days 99.9 % not measured',
      'Latency, last 30 days 290 ms p50, 612 ms p95 not measured',
      'Network Base not advertised',
      'payTo address 0x1111111111111111111111111111111111112222 not advertised',
      'Test purchase Delivered, 2026-03-04 none in 30 days',
      'Listing Listed in cdp, payai Delisted on 2026-02-01',
    ])
      expect(text).toContain(row);
    expect(html).toContain('href="/endpoint/one-aaaaaaaaaa"');
    expect(html).not.toMatch(/<b>|is selected|is not valid|at most/i);
  });

  it('says what is missing', () => {
    expect(extractText(render(''))).toContain('No endpoint is selected. Select two to four endpoints');
    const single = extractText(render('endpoint=aaaaaaaaaa,zzzzzzzzzz,Z', one));
    expect(single).toContain('Only one endpoint is selected. Select two');
    expect(single).toContain('No monitored endpoint has the id zzzzzzzzzz');
    expect(single).toContain('These values are not valid: endpoint=Z .');
    expect(single).toContain('Recommendation Proceed');
    expect(extractText(render(`endpoint=${IDS.join()}`, one, other))).toContain('At most 4 endpoints');
  });
});
