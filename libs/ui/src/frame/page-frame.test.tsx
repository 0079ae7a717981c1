import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { NAVIGATION_LINKS, PageFrame, SiteNotice, SkipLink } from './page-frame.tsx';

const html = renderToStaticMarkup(<PageFrame>content</PageFrame>);

describe('PageFrame', () => {
  it('has all landmarks, and the target of the skip link', () => {
    expect(renderToStaticMarkup(<SkipLink />)).toMatch(/^<a href="#main"/);
    for (const landmark of ['<header', '<nav aria-label="Main"', '<main id="main"', '<footer']) {
      expect(html).toContain(landmark);
    }
    expect(html).not.toContain('aria-current');
  });

  it.each(NAVIGATION_LINKS)('links to the page $id in the menu, and marks it', ({ id, href, label }) => {
    const marked = renderToStaticMarkup(<PageFrame current={id}>content</PageFrame>);
    const menu = marked.slice(marked.indexOf('popover="auto"'), marked.indexOf('</nav>'));
    expect(menu).toContain(`href="${href}" aria-current="page"`);
    expect(menu.match(/aria-current/g)).toHaveLength(1);
    expect(menu).toMatch(new RegExp(`href="${href}"[^>]*>${label}<`));
  });

  it('opens the menu without a script, in browsers that support popovers', () => {
    expect(html).toMatch(
      /<div class="hidden max-xl:supports-\[selector\(:popover-open\)\]:block"><button type="button" popoverTarget="menu"/,
    );
    expect(html).toContain('<div id="menu" popover="auto"');
    expect(html).not.toMatch(/<script|onclick/);
  });

  it('has a search form, except on a page with a search field of its own', () => {
    const withSearch = renderToStaticMarkup(<PageFrame hasSearch>content</PageFrame>);
    const header = html.slice(html.indexOf('<header'), html.indexOf('</header>'));
    expect(header).toMatch(/<form [^>]*action="\/explore" method="get"/);
    expect(header).toContain('name="q"');
    expect(withSearch).not.toContain('name="q"');
  });

  it('links to the paid operations for programs', () => {
    expect(html.slice(html.indexOf('<footer'))).toContain('href="/.well-known/x402"');
  });
});

describe('SiteNotice', () => {
  it('is a named landmark that escapes its text', () => {
    const notice = renderToStaticMarkup(<SiteNotice>{'A <b>sandbox</b>'}</SiteNotice>);
    expect(notice).toMatch(/^<aside aria-label="About this site"/);
    expect(notice).toContain('A &lt;b&gt;sandbox&lt;/b&gt;');
    expect(notice).not.toContain('href');
  });

  it('shows the first sentence, and links to the whole notice', () => {
    const notice = renderToStaticMarkup(<SiteNotice>Moved to b.example. Old links work.</SiteNotice>);
    expect(notice).toContain('>Moved to b.example. <a href="/about#notice"');
    expect(notice).not.toContain('Old links');
  });
});
