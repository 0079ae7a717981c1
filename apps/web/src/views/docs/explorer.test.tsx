import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Explorer } from './explorer.tsx';

it('links to alternatives without JavaScript and on a narrow screen', () => {
  const html = renderToStaticMarkup(<Explorer />);
  const withoutScript = /<noscript>(.*)<\/noscript>/.exec(html)?.[1] ?? '';
  const narrow = /<p class="[^"]*md:hidden">(.*?)<\/p>/.exec(html)?.[1] ?? '';
  for (const text of [withoutScript, narrow]) {
    expect(text).toContain('href="/docs"');
    expect(text).toContain('href="/openapi.json"');
  }
});
