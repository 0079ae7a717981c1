import type { EcosystemDay } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { createEcosystem } from '../../testing/ecosystem.ts';
import { extractText } from '../../testing/html-text.ts';
import { Statistics } from './statistics.tsx';

const ecosystem = createEcosystem({
  ...{ endpoints: 1_234, listed: 1_200, delisted: 27, adopted: 7, reachable: 1_100, compliant: 980 },
  ...{ providers: 56, probes30d: 78_900 },
  recommendations: { proceed: 11, caution: 12, parameterize: 13, avoid: 14, unverified: 15, free: 16 },
});

/** Creates the figures of a day. */
function createDay(day: string, change: Partial<EcosystemDay> = {}): EcosystemDay {
  const { adopted: _, probes30d: __, lastProbedAt: ___, ...figures } = ecosystem;
  return {
    ...figures,
    day,
    computedAt: `${day}T10:11:00.000Z`,
    networks: { 'eip155:8453': 900, 'eip155:1': 5, other: 20, none: 275 },
    prices: { count: 1_000, p10: '0.001', p25: '0.002', p50: '0.01', p75: '0.25', p90: '1' },
    causes: { timeout: 30, 'http-403': 10 },
    tags: {},
    ...change,
  };
}

const DAYS = [createDay('2026-11-18', { listed: 1_000, reachable: 500 }), createDay('2026-11-20')];

const render = (days: readonly EcosystemDay[], overrides: Partial<typeof ecosystem> = {}) =>
  renderToStaticMarkup(<Statistics ecosystem={{ ...ecosystem, ...overrides }} days={days} />);

describe('Statistics', () => {
  it('shows the number of endpoints, grades and recommendations', () => {
    const html = render([]);
    const text = extractText(html);
    for (const figure of ['1,234 1,200 listed , 27 delisted , 7 added by paid reports', '56', '78,900'])
      expect(text).toContain(figure);
    expect(text).toContain('1,100 (91.7 %)');
    expect(text).toContain('980 (81.7 %)');
    expect(extractText(render([], { adopted: 0 }))).toContain('27 delisted Hosts');
    for (const count of Object.values(ecosystem.recommendations)) expect(html).toContain(`>${count}<`);
  });

  it('links each count to the list of these endpoints', () => {
    const links = [...render(DAYS).matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, href, text]) =>
      [href, text].join(' '),
    );
    for (const link of [
      '/explore 1,200 listed',
      '/explore?property=reachable 1,100 (91.7 %)',
      '/explore?property=compliant 980 (81.7 %)',
      '/explore?status=delisted 27 delisted',
      '/explore?grade=B 4,000',
      '/explore?grade=%3F 500',
      '/explore?recommendation=avoid 14',
      '/explore?network=eip155:8453 <bdi>Base</bdi>',
    ])
      expect(links).toContain(link);
  });

  it('shows the settled volume with its receivers and payers, or that no wallet was measured', () => {
    const text = extractText(render([]));
    for (const part of ['Settled volume, last 30 days $48,210.42', 'Receivers, last 30 days 288'])
      expect(text).toContain(part);
    expect(text).toContain('Payers, last 30 days 3,914');
    const unmeasured = { settledVolumeUsd30d: null, receivers30d: null, payers30d: null };
    expect(render([], unmeasured).match(/>not measured</g)).toHaveLength(3);
  });

  it('explains an empty catalog', () => {
    const html = render(DAYS, { endpoints: 0, listed: 0, lastProbedAt: null });
    expect(html).toContain('No endpoint is graded yet');
    expect(html).not.toContain('Recommendations for payers');
    expect(html).not.toContain('Reachable');
    expect(html).not.toContain('Over time');
    expect(html).not.toContain('Causes of failure');
  });

  it('shows prices and networks of the latest day', () => {
    const html = render(DAYS);
    expect(html).toMatch(/Median price<\/dt><dd[^>]*>\$0\.01</);
    expect(html).toContain('per call on 2026-11-20; the middle half of 1,000 prices is from $0.002 to $0.25');
    expect(html).toMatch(/Most frequent network<\/dt><dd[^>]*><a[^>]*><bdi>Base<\/bdi>/);
    expect(html).toContain('75.0 % of listed endpoints on 2026-11-20');
  });

  it('draws each figure over time, and gaps where no day is recorded', () => {
    const html = render(DAYS);
    expect(html).toContain('Since 2026-11-18');
    expect(html).toContain(
      'Reachable: latest 91.7 % on 2026-11-20, lowest 50.0 % on 2026-11-18, highest 91.7 % on 2026-11-20.',
    );
    expect(html).toContain('<script src="/charts.js" defer="">');
    const titles = 'Reachable Catalog Grades Recommendations Price Main';
    for (const title of titles.split(' ')) expect(html).toMatch(new RegExp(`aria-label="${title}`));
    expect(html.match(/<th scope="row">2026-11-19<\/th><td>no data</g)).toHaveLength(6);
    expect(html).toContain('Other networks 1.7 %, No network known 22.9 %');
  });

  it('shows no share of reachable endpoints before the first probe', () => {
    const unprobed = createDay('2026-11-19', { reachable: 0, compliant: 0, causes: {} });
    expect(render([unprobed, createDay('2026-11-20')])).toContain('lowest 91.7 % on 2026-11-20');
    expect(render(DAYS, { lastProbedAt: null }).match(/>not probed yet</g)).toHaveLength(2);
  });

  it('says when the history begins if there is only one day', () => {
    const html = render(DAYS.slice(1));
    expect(html).toContain('History begins on 2026-11-20.');
    expect(html).not.toContain('Show as table');
    expect(html).toContain('Causes of failure now');
  });

  it('lists the causes of failures with their effect, most frequent first', () => {
    const html = render(DAYS);
    expect(html).toContain('The latest probe of 40 of 1,200 listed endpoints failed.');
    expect(html).toContain('60 listed endpoints without a probe: new, or');
    expect(html).toMatch(
      /No complete response in time.*flag-down-now">counts as down.*30 endpoints.*HTTP 403 Forbidden.*flag-blocked">not counted.*10 endpoints/,
    );
  });

  it('shows rare causes in an expandable list', () => {
    const causes = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`http-5${10 + index}`, 12 - index]),
    );
    const html = render([createDay('2026-11-20', { causes })]);
    expect(html).toMatch(/HTTP 519.*<details><summary[^>]*>2 more causes<.*HTTP 520.*HTTP 521/);
  });

  it('says that no endpoint fails', () => {
    const html = render([createDay('2026-11-20', { causes: {}, prices: null, networks: {} })]);
    expect(html).toContain('The latest probe of every probed endpoint succeeded.');
    expect(html).toContain('no prices yet');
    expect(html).not.toMatch(/NaN|Infinity/);
  });
});
