import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { Leaderboard } from './leaderboard.tsx';

describe('Leaderboard', () => {
  it('lists the endpoints in order', () => {
    const html = renderToStaticMarkup(
      <Leaderboard snapshots={[createTestSnapshot(), createTestSnapshot({ slug: 'b-abcdefgh27' })]} />,
    );
    expect(extractText(html)).toContain('The first 2 by the lower bound of the score range');
    expect(extractText(html)).toContain(
      'The order is by the lower bound of the score range , in which everything that was not measured counts as 0, then by score.',
    );
    expect(extractText(html)).toContain('Score 87.4 85.1 or more');
    expect(html.match(/href="\/endpoint\//g)).toHaveLength(2);
    expect(html).toContain('href="/explore"');
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
    expect(text).toMatch(/^(?!.*Newest score).*No endpoint qualifies yet An endpoint appears here after/);
  });
});
