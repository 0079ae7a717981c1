import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Explorer } from './explorer.tsx';

it('says what to read instead, without a script and on a narrow screen', () => {
  const html = renderToStaticMarkup(<Explorer />);
  const withoutScript = /<noscript>(.*)<\/noscript>/.exec(html)?.[1] ?? '';
  const narrow = /<p class="[^"]*md:hidden">(.*?)<\/p>/.exec(html)?.[1] ?? '';
  for (const words of [withoutScript, narrow]) {
    expect(words).toContain('href="/docs"');
    expect(words).toContain('href="/openapi.json"');
  }
});
