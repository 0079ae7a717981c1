import type { Ecosystem } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Statistics } from './statistics.tsx';

const ecosystem: Ecosystem = {
  endpoints: 1_234,
  listed: 1_200,
  delisted: 27,
  adopted: 7,
  reachable: 1_100,
  compliant: 980,
  providers: 56,
  probes30d: 78_900,
  grades: { A: 1, B: 2, C: 3, D: 4, F: 5, '?': 6 },
  recommendations: { proceed: 11, caution: 12, parameterize: 13, avoid: 14, unverified: 15, free: 16 },
  lastProbedAt: '2026-11-20T10:30:00.000Z',
};

describe('Statistics', () => {
  it('shows the number of endpoints, grades and recommendations', () => {
    const html = renderToStaticMarkup(<Statistics ecosystem={ecosystem} />);
    for (const figure of ['1,234', '1,200 listed, 27 delisted, 7 added by paid reports', '56', '78,900'])
      expect(html).toContain(figure);
    expect(html).toContain('1,100 (89.1%)');
    expect(html).toContain('980 (79.4%)');
    for (const count of Object.values(ecosystem.recommendations)) expect(html).toContain(`>${count}<`);
  });

  it('names adopted endpoints only where there are some', () => {
    const html = renderToStaticMarkup(<Statistics ecosystem={{ ...ecosystem, adopted: 0 }} />);
    expect(html).toContain('1,200 listed, 27 delisted<');
  });

  it('explains an empty catalog', () => {
    const html = renderToStaticMarkup(
      <Statistics ecosystem={{ ...ecosystem, endpoints: 0, lastProbedAt: null }} />,
    );
    expect(html).toContain('No endpoint is graded yet');
    expect(html).not.toContain('Recommendations for payers');
    expect(html).not.toContain('Reachable');
  });
});
