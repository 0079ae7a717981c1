import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { SiteNotice } from './site-notice.tsx';

describe('SiteNotice', () => {
  it('is a named landmark that escapes its text', () => {
    const html = renderToStaticMarkup(<SiteNotice>{'A <b>sandbox</b>'}</SiteNotice>);
    expect(html).toMatch(/^<aside aria-label="About this site"/);
    expect(html).toContain('A &lt;b&gt;sandbox&lt;/b&gt;');
  });
});
