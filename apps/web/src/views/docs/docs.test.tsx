import {
  OPERATIONS,
  PROBLEMS,
  REFUSAL_FILE,
  toSchemaPath,
  WATCH_MESSAGES_SECTION,
} from '@touchstone/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { Docs } from './docs.tsx';
import { Explorer } from './explorer.tsx';

const render = (resource?: string): string =>
  renderToStaticMarkup(
    <Docs
      baseUrl="https://touchstone.example"
      network="eip155:84532"
      {...(resource === undefined ? {} : { resource })}
    />,
  );

describe('Docs', () => {
  it('has every operation with its price, schemas and three code examples', () => {
    const html = render();
    for (const { id, path, parameters, requestBody, response } of OPERATIONS) {
      const section = html.slice(html.indexOf(`<section id="${id}"`)).split('</section>')[0] ?? '';
      expect(section).toContain(path);
      expect(section.match(/<details/g)).toHaveLength(3);
      for (const { in: place, name, example } of parameters) {
        expect(section.includes(`<code>${name}=${example}</code>`)).toBe(place === 'query');
      }
      for (const payload of [requestBody, response]) {
        if (payload?.published) expect(section).toContain(`href="${toSchemaPath(payload.published.name)}"`);
      }
    }
    expect(html.match(/\$0\.005/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('has every parameter with its description', () => {
    const html = render();
    const getSection = (id: string): string =>
      extractText(html.slice(html.indexOf(`<section id="${id}"`)).split('</section>')[0] ?? '');
    for (const { id, parameters } of OPERATIONS) {
      const section = getSection(id);
      for (const { name, in: place, required, description, example } of parameters) {
        expect(section).toContain(
          place === 'query'
            ? `${name}=${example} in the query, ${required ? 'required' : 'optional'}: ${description}`
            : `${name} in the path: ${description} Example: ${example}`,
        );
      }
      expect(section.includes('Parameters')).toBe(parameters.length > 0);
    }
    for (const { id } of OPERATIONS.filter(({ security }) => security === 'bearer')) {
      expect(getSection(id)).toContain('free, needs the secret of the watch');
      expect(getSection(id)).toContain('Header');
    }
  });

  it('explains at the link of each message of a watch how to stop the messages', () => {
    const html = render();
    const section =
      html.slice(html.indexOf(`<h2 id="${WATCH_MESSAGES_SECTION}"`)).split('</section>')[0] ?? '';
    for (const text of ['600 messages', '410', REFUSAL_FILE.path, REFUSAL_FILE.line])
      expect(section).toContain(text);
  });

  it('has every error, and names the payment network', () => {
    const html = render();
    for (const text of [...Object.keys(PROBLEMS), 'Base Sepolia']) expect(html).toContain(text);
  });

  it('renders an untrusted resource URL as text', () => {
    const html = render('https://example.com/</pre><script>alert(1)</script>');
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });
});

it('the explorer links to alternatives without JavaScript and on a narrow screen', () => {
  const html = renderToStaticMarkup(<Explorer />);
  const withoutScript = /<noscript>(.*)<\/noscript>/.exec(html)?.[1] ?? '';
  const narrow = /<p class="[^"]*md:hidden">(.*?)<\/p>/.exec(html)?.[1] ?? '';
  for (const text of [withoutScript, narrow]) {
    expect(text).toContain('href="/docs"');
    expect(text).toContain('href="/openapi.json"');
  }
});
