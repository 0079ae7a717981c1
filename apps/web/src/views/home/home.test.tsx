import type { Ecosystem } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { Home } from './home.tsx';
import { Leaderboard } from '../leaderboard/leaderboard.tsx';

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

describe('Home', () => {
  it('shows the statistics, the best endpoints and a summary of the score', () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      createTestSnapshot({ slug: `endpoint-${index}-abcdefgh27` }),
    );
    const html = renderToStaticMarkup(<Home ecosystem={ecosystem} best={many} />);
    const text = extractText(html);
    for (const part of [
      'Endpoints in the catalog 15,000 14,000 listed, 1,000 delisted, 12 added by paid reports',
      'Providers 812',
      'Probes, last 30 days 21,600,000',
      'Last probe 2026-03-04 12:34 UTC',
      'Grades of 15,000 endpoints, last probe 2026-03-04 12:34 UTC',
      'Best trust scores Ordered by the lower bound of the score range. Newest score computed 2026-03-04 12:34 UTC',
      'Uptime 30',
      'Grade A from 80',
    ]) {
      expect(text).toContain(part);
    }
    expect(html.match(/href="\/endpoint\//g)).toHaveLength(5);
    expect(html).not.toContain('style=');
  });

  it('explains the empty state before the first results', () => {
    const text = extractText(renderToStaticMarkup(<Home ecosystem={emptyEcosystem} best={[]} />));
    expect(text).toContain('The first probes are running');
    expect(text).toContain('Last probe none yet');
    expect(text).not.toContain('Best trust scores');
  });
});

describe('Leaderboard', () => {
  it('lists the endpoints in order', () => {
    const html = renderToStaticMarkup(
      <Leaderboard snapshots={[createTestSnapshot(), createTestSnapshot({ slug: 'b-abcdefgh27' })]} />,
    );
    expect(extractText(html)).toContain('Top 2 by the lower bound of the trust score');
    expect(extractText(html)).toContain(
      'ordered by the lower bound of their score range , in which everything that could not be measured counts as 0.',
    );
    expect(extractText(html)).toContain('87.4 , 85.1');
    expect(html.match(/href="\/endpoint\//g)).toHaveLength(2);
    expect(html).not.toContain('style=');
  });

  it('shows the time of the newest score', () => {
    const times = ['2026-03-04T09:00:00.000Z', '2026-03-04T11:00:00+00:00', '2026-03-04T10:00:00.000Z'];
    const html = renderToStaticMarkup(
      <Leaderboard
        snapshots={times.map((computedAt, index) =>
          createTestSnapshot({ computedAt, slug: `endpoint-${index}-abcdefgh27` }),
        )}
      />,
    );
    expect(extractText(html)).toContain('Newest score computed 2026-03-04 11:00 UTC');
    expect(html).toContain('data-age-of="2026-03-04T11:00:00+00:00"');
  });

  it('explains the empty state before any endpoint qualifies', () => {
    const text = extractText(renderToStaticMarkup(<Leaderboard snapshots={[]} />));
    expect(text).toContain('No endpoint qualifies yet An endpoint appears here after');
    expect(text).not.toContain('Newest score');
  });
});
