import type { Ecosystem, EcosystemEvent } from '@touchstone/store';
import { findOperation } from '@touchstone/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { requireOperation } from '../../operations/require-operation.ts';
import { extractText } from '../../testing/html-text.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { Home } from './home.tsx';

const ecosystem: Ecosystem = {
  endpoints: 15_000,
  listed: 14_000,
  delisted: 1_000,
  adopted: 12,
  reachable: 12_500,
  compliant: 9_800,
  providers: 812,
  probes30d: 21_600_000,
  grades: { A: 1000, B: 4000, C: 5000, D: 3000, F: 1500, '?': 500 },
  recommendations: {
    proceed: 4000,
    caution: 8000,
    parameterize: 500,
    avoid: 2000,
    unverified: 200,
    free: 300,
  },
  lastProbedAt: '2026-03-04T12:34:56.000Z',
};

const emptyEcosystem: Ecosystem = {
  ...ecosystem,
  endpoints: 0,
  listed: 0,
  delisted: 0,
  adopted: 0,
  reachable: 0,
  compliant: 0,
  providers: 0,
  probes30d: 0,
  grades: { A: 0, B: 0, C: 0, D: 0, F: 0, '?': 0 },
  lastProbedAt: null,
};

const event: EcosystemEvent = {
  id: '1',
  at: '2026-03-04T05:12:00.000Z',
  updatedAt: '2026-03-04T05:12:00.000Z',
  kind: 'outage',
  host: 'api.example.com',
  slug: 'api-example-com-weather-abcdefgh27',
  resource: 'https://api.example.com/weather',
  grade: 'B',
  recommendation: 'caution',
  endpoints: 1,
};

const createMany = (count: number) =>
  Array.from({ length: count }, (_, index) => createTestSnapshot({ slug: `endpoint-${index}-abcdefgh27` }));

const render = (props: Partial<Parameters<typeof Home>[0]> = {}) =>
  renderToStaticMarkup(
    <Home
      baseUrl="https://touchstone.example"
      ecosystem={ecosystem}
      best={createMany(9)}
      events={[event]}
      {...props}
    />,
  );

describe('Home', () => {
  it('explains the service and has the search before everything else', () => {
    const html = render();
    const text = extractText(html);
    expect(text).toContain('x402 endpoints are APIs that charge for each call.');
    expect(html.indexOf('role="search"')).toBeLessThan(html.indexOf('<h2'));
  });

  it('shows live figures with their unit, window and age', () => {
    const text = extractText(render());
    for (const part of [
      'Last probe 2026-03-04 12:34 UTC · ',
      'Endpoints monitored 15,000 on 812 hosts',
      'Recommended for payment 26.7% 4,000 with the recommendation Proceed',
      'Probes, last 30 days 21,600,000 unpaid test requests',
      'Grades of 15,000 endpoints',
    ]) {
      expect(text).toContain(part);
    }
    expect(render()).toContain('data-age-of="2026-03-04T12:34:56.000Z"');
  });

  it('lists the five best endpoints and the five newest events', () => {
    const events = Array.from({ length: 9 }, (_, index) => ({ ...event, id: String(index) }));
    const html = render({ events });
    expect(html.match(/href="\/endpoint\/endpoint-/g)).toHaveLength(5);
    expect(html.match(/href="\/endpoint\/api-example/g)).toHaveLength(5);
    expect(extractText(html)).toContain('Outage 2026-03-04 05:12 UTC');
    const renderMany = (endpoints: number) => extractText(render({ events: [{ ...event, endpoints }] }));
    expect(renderMany(41)).toContain('and 40 other endpoints of this host');
    expect(renderMany(2)).toContain('and 1 other endpoint of this host');
    expect(html).not.toContain('style=');
  });

  it('has each step of a payment and an offer for each kind of reader, with a link', () => {
    const text = extractText(render());
    for (const heading of ['1. Check', '2. Decide', '3. Pay safely', 'You pay for', 'You build', 'You run']) {
      expect(text).toContain(heading);
    }
    const html = render();
    expect(html).toContain(`href="/docs#${requireOperation('/v1/x402-trust').id}"`);
    expect(html).toContain('href="/docs#findEndpointSummary"');
    expect(findOperation('GET', '/v1/x402-summary')?.id).toBe('findEndpointSummary');
    for (const href of ['/mcp#guard', '/methodology', '/watch', '/llms.txt', '/events'])
      expect(html).toContain(`href="${href}"`);
  });

  it('has commands that run unchanged with this service', () => {
    const text = extractText(render());
    expect(text).toContain('npx @touchstone/cli guard URL --service https://touchstone.example');
    expect(text).toContain('npx @touchstone/cli lint URL');
    expect(text).not.toContain('lint URL --service');
    const local = extractText(render({ baseUrl: 'http://localhost:3000' }));
    expect(local).toContain('npx touchstone guard URL --sandbox');
    expect(local).toContain('npx touchstone lint URL --sandbox');
  });

  it('names the recommendation and the score of each of the best endpoints', () => {
    const best = render().slice(render().indexOf('id="top"'));
    expect(best.match(/Score <\/span>/g)).toHaveLength(5);
    expect(best).not.toContain('max-sm:hidden');
  });

  it('explains the empty state before the first results', () => {
    const text = extractText(render({ ecosystem: emptyEcosystem, best: [], events: [] }));
    expect(text).toContain('The first probes are running');
    expect(text).toContain('No event yet');
    expect(text).not.toContain('Best trust scores');
    expect(text).not.toContain('NaN');
  });
});
