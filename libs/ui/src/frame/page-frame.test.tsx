import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PageFrame } from './page-frame.tsx';

describe('PageFrame', () => {
  it('has all landmarks and starts with the skip link', () => {
    const html = renderToStaticMarkup(<PageFrame>content</PageFrame>);
    expect(html).toMatch(/^<a href="#main"/);
    for (const landmark of ['<header', '<nav aria-label="Main"', '<main id="main"', '<footer']) {
      expect(html).toContain(landmark);
    }
    expect(html).not.toContain('aria-current');
  });

  it('marks the current page', () => {
    const html = renderToStaticMarkup(<PageFrame current="leaderboard">content</PageFrame>);
    expect(html).toContain('href="/trust/leaderboard" aria-current="page"');
    expect(html.match(/aria-current/g)).toHaveLength(1);
  });
});
