import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { NAVIGATION_LINKS } from './navigation-links.ts';
import { PageFrame } from './page-frame.tsx';

const html = renderToStaticMarkup(<PageFrame>content</PageFrame>);

describe('PageFrame', () => {
  it('has all landmarks and starts with the skip link', () => {
    expect(html).toMatch(/^<a href="#main"/);
    for (const landmark of ['<header', '<nav aria-label="Main"', '<main id="main"', '<footer']) {
      expect(html).toContain(landmark);
    }
    expect(html).not.toContain('aria-current');
  });

  it.each(NAVIGATION_LINKS)('marks the current page $id in the menu', ({ id, href }) => {
    const marked = renderToStaticMarkup(<PageFrame current={id}>content</PageFrame>);
    const menu = marked.slice(marked.indexOf('popover="auto"'), marked.indexOf('</nav>'));
    expect(menu).toContain(`href="${href}" aria-current="page"`);
    expect(menu.match(/aria-current/g)).toHaveLength(1);
  });

  it('opens the menu without a script', () => {
    expect(html).toContain('popoverTarget="menu"');
    expect(html).toContain('<div id="menu" popover="auto"');
    expect(html).not.toMatch(/<script|style=|onclick/);
  });

  it('hides the menu unless the browser supports popovers', () => {
    expect(html).toMatch(
      /<div class="hidden max-lg:supports-\[selector\(:popover-open\)\]:block"><button type="button" popoverTarget="menu"/,
    );
  });

  it('links to the paid operations for programs', () => {
    expect(html.slice(html.indexOf('<footer'))).toContain('href="/.well-known/x402"');
  });

  it('links to every main page in the menu', () => {
    const menu = html.slice(html.indexOf('popover="auto"'), html.indexOf('</nav>'));
    for (const { href, label } of NAVIGATION_LINKS)
      expect(menu).toMatch(new RegExp(`href="${href}"[^>]*>${label}<`));
  });
});
