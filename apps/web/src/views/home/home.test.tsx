import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { trustReportOperation } from '@touchstone/contract/operations/trust-report/operation';
import { createEcosystem } from '../../testing/ecosystem.ts';
import { createTestCategory } from '../../testing/test-category.ts';
import { createEvent } from '../../testing/events.ts';
import { extractText } from '../../testing/html-text.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { Home } from './home.tsx';

const createMany = (count: number) =>
  Array.from({ length: count }, (_, index) => createTestSnapshot({ slug: `endpoint-${index}-abcdefgh27` }));

const render = (props: Partial<Parameters<typeof Home>[0]> = {}) =>
  renderToStaticMarkup(
    <Home
      baseUrl="https://touchstone.example"
      ecosystem={createEcosystem()}
      best={createMany(9)}
      events={[createEvent()]}
      categories={[createTestCategory({ tag: 'machine learning' })]}
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
      'Listed endpoints 14,000 and 1,000 that no directory lists, on 812 hosts',
      'Recommended for payment 28.6 % 4,000 of 14,000 listed, with the recommendation Proceed',
      'Probes, last 30 days 21,600,000 unpaid test requests',
      'Grades of 15,000 listed endpoints',
    ]) {
      expect(text).toContain(part);
    }
    for (const link of [
      '/explore">14,000</a>',
      '/explore?recommendation=proceed">4,000 of 14,000</a>',
      '/explore?grade=A"',
    ])
      expect(render()).toContain(`href="${link}`);
    expect(extractText(render({ ecosystem: createEcosystem({ endpoints: 9, listed: 9 }) }))).toContain(
      'Listed endpoints 9 on 812 hosts',
    );
    expect(render()).toContain('data-age-of="2026-03-04T12:34:56.000Z"');
  });

  it('links the categories with their numbers of endpoints', () => {
    expect(render()).toContain('href="/category/machine-learning"');
    expect(extractText(render())).toContain('Find APIs by category Machine learning 12 endpoints');
    expect(render({ categories: [] })).not.toContain('by category');
  });

  it('lists the five best endpoints and the five newest events', () => {
    const events = Array.from({ length: 9 }, (_, index) => createEvent({ id: String(index) }));
    const html = render({ events });
    expect(html.match(/href="\/endpoint\/endpoint-/g)).toHaveLength(5);
    expect(html.match(/href="\/endpoint\/api-example/g)).toHaveLength(5);
    const best = html.slice(html.indexOf('id="top"'));
    expect(best.match(/Score <\/span>/g)).toHaveLength(5);
    expect(extractText(html)).toContain('Outage 2026-11-20 08:20 UTC');
    const renderMany = (endpoints: number) => extractText(render({ events: [createEvent({ endpoints })] }));
    expect(renderMany(41)).toContain('and 40 other endpoints of this host');
    expect(renderMany(2)).toContain('and 1 other endpoint of this host');
  });

  it('links to the operations and pages of each kind of reader', () => {
    const html = render();
    expect(html).toContain(`href="/docs#${trustReportOperation.id}"`);
    for (const href of [
      '/docs#findEndpointSummary',
      '/mcp#guard',
      '/methodology',
      '/watch',
      '/check',
      '/llms.txt',
      '/events',
    ])
      expect(html).toContain(`href="${href}"`);
  });

  it('has commands that run unchanged with this service', () => {
    const text = extractText(render());
    expect(text).toContain('npx @touchstone/cli guard URL --service https://touchstone.example');
    expect(text).toContain('npx @touchstone/cli lint URL');
    expect(text).not.toContain('lint URL --service');
    const local = extractText(render({ baseUrl: 'http://localhost:3000' }));
    expect(local).toContain('npx --no-install touchstone guard URL --sandbox');
    expect(local).toContain('npx --no-install touchstone lint URL --sandbox');
  });

  it('explains the empty state before the first results', () => {
    const text = extractText(
      render({ ecosystem: createEcosystem({ endpoints: 0, lastProbedAt: null }), best: [], events: [] }),
    );
    expect(text).toContain('The first probes are running');
    expect(text).toContain('No event yet');
    expect(text).not.toContain('Best endpoints');
    expect(text).not.toContain('NaN');
  });
});
