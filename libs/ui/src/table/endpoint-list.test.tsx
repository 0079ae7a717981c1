import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { EndpointList } from './endpoint-list.tsx';
import type { ListValue } from './list-values.ts';
import type { ListedEndpoint } from './listed-endpoint.ts';

const endpoint: ListedEndpoint = {
  slug: 'api-example-com-weather-abcdefghij',
  resource: 'https://api.example.com/weather?city=Bern',
  serviceName: 'Weather',
  description: 'The weather anywhere.',
  grade: 'A',
  score: 87.4,
  scoreLow: 85.1,
  confidence: 0.87,
  recommendation: 'proceed',
  uptime30d: 99.9,
  scoredProbes30d: 1440,
  blockedSince: null,
  uptimeDays: [null, 100, 97.9],
  latencyMs: 1318,
  amountUsd: '0.005000',
  templated: false,
  network: 'eip155:8453',
  listingStatus: 'listed',
  listingSource: 'directory',
  computedAt: '2026-03-04T12:34:00.000Z',
  firstSeen: '2026-01-02T03:04:05.000Z',
  contentChangedAt: '2026-03-03T00:00:00.000Z',
};

type Props = Partial<Parameters<typeof EndpointList>[0]>;

const render = (change: Partial<ListedEndpoint> = {}, props: Props = {}) =>
  renderToStaticMarkup(<EndpointList endpoints={[{ ...endpoint, ...change }]} sortedBy="score" {...props} />);

/** Returns the visible texts of a list and the texts for screen readers. */
const readText = (change: Partial<ListedEndpoint> = {}, props: Props = {}) =>
  render(change, props)
    .replace(/<wbr\/>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('EndpointList', () => {
  it('links each row once, to the page of its endpoint', () => {
    const html = render();
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).toContain('href="/endpoint/api-example-com-weather-abcdefghij"');
    expect(html).toContain('aria-label="Grade A"');
    expect(readText()).toBe(
      ' Grade, recommendation Endpoint Price per call Uptime, since 2026-03-03 Score Uptime, since 2026-03-03 A Proceed api.example.com/weather?city=Bern Weather · The weather anywhere. ' +
        'Score 87.4 85.1 or more Price $0.005 on Base Uptime 99.9 % ',
    );
  });

  it.each<[ListValue, string]>([
    ['score', 'Score 87.4 85.1 or more'],
    ['price', 'Price $0.005 per call'],
    ['uptime', 'Uptime 99.9 %'],
    ['latency', 'Latency 1,318 ms on average'],
    ['newest', 'First seen 2026-01-02 UTC'],
    ['changed', 'Changed 2026-03-03 UTC'],
  ])('shows in each row of a list by %s: %s', (sortedBy, text) => {
    expect(readText({}, { sortedBy })).toContain(`anywhere. ${text} Price`);
  });

  it('shows missing measurements as text, not as zero', () => {
    const missing = { uptime30d: null, uptimeDays: [], latencyMs: null, amountUsd: null, network: null };
    expect(readText(missing, { sortedBy: 'latency' })).toContain(
      'Latency none on average Price not advertised Uptime not measured',
    );
    expect(render(missing)).not.toContain('days measured');
  });

  it.each([
    [{ grade: '?' }, 'Score none'],
    [{ amountUsd: null }, 'not in US dollars'],
    [{ templated: true }, '$0.005 per item on Base'],
    [{ network: 'eip155:31337' }, 'on EVM chain 31337'],
    [{ listingStatus: 'delisted' }, 'Proceed Delisted'],
    [{ listingSource: 'adopted' }, 'Proceed Not listed'],
  ] as const)('shows %j as %s', (change, text) => {
    expect(readText(change)).toContain(text);
  });

  it('shows the grade of an endpoint to avoid without color, and a provisional grade hollow', () => {
    expect(render({ recommendation: 'avoid' })).toContain('fill-line');
    expect(render({ confidence: 0.29 })).toContain('fill-transparent');
    expect(render({ confidence: 0.3 })).not.toMatch(/fill-line|fill-transparent/);
  });

  it('shows positions, and paths without the host, on request', () => {
    expect(readText({}, { isRanked: true })).toMatch(/^ Rank .* 1 A Proceed/);
    expect(readText({}, { hasOneHost: true })).toContain('Proceed /weather?city=Bern Weather');
    expect(readText({ resource: 'https://api.example.com' }, { hasOneHost: true })).toContain('Proceed / W');
  });

  it('has a checkbox with the slug in each row of a list with a form', () => {
    const box = /<input[^>]*>/.exec(render({}, { compareForm: 'compare' }))?.[0] ?? '';
    expect(box).toContain('form="compare" aria-label="Compare https://api.example.com/weather');
    expect(box).toContain('name="endpoint"');
    expect(box).toContain('value="');
    expect(render({})).not.toContain('<input');
  });

  it('escapes untrusted texts', () => {
    const hostile = '"><script>alert(1)</script>\u202E';
    const html = render({ serviceName: hostile, description: hostile, resource: `https://x/${hostile}` });
    expect(html).not.toMatch(/<script/);
    expect(readText({ serviceName: hostile })).not.toContain('\u202E');
  });
});
