import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { Gone, NotFound, Unavailable } from './error-page.tsx';

describe.each([
  ['NotFound', NotFound, 'Status 404 Page not found'],
  ['Gone', Gone, 'Status 410 This endpoint was removed'],
  ['Unavailable', Unavailable, 'Status 500 This page is temporarily unavailable'],
])('%s', (_name, Page, title) => {
  const html = renderToStaticMarkup(<Page />);

  it('names the status and what happened in its only main heading', () => {
    expect(extractText(html)).toContain(title);
    expect(html.match(/<h1/g)).toHaveLength(1);
  });

  it('has the search and links to the main pages', () => {
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    expect(html.match(/name="q"/g)).toHaveLength(1);
    for (const href of ['/explore', '/trust/leaderboard', '/']) expect(main).toContain(`href="${href}"`);
  });
});
