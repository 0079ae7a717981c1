import { OPERATIONS, PROBLEMS, SCHEMAS } from '@touchstone/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { Docs } from './docs.tsx';

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
        if (payload?.schemaName) expect(section).toContain(`href="${SCHEMAS[payload.schemaName].path}"`);
      }
    }
    expect(html.match(/\$0\.005/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('has every parameter with its description', () => {
    const html = render();
    for (const { id, parameters } of OPERATIONS) {
      const section = extractText(
        html.slice(html.indexOf(`<section id="${id}"`)).split('</section>')[0] ?? '',
      );
      for (const { name, in: place, required, description, example } of parameters) {
        expect(section).toContain(
          place === 'query'
            ? `${name}=${example} in the query, ${required ? 'required' : 'optional'}: ${description}`
            : `${name} in the path: ${description} Example: ${example}`,
        );
      }
      expect(section.includes('Parameters')).toBe(parameters.length > 0);
    }
    const secrets = OPERATIONS.filter(({ security }) => security === 'bearer').map(({ id }) => {
      const section = extractText(
        html.slice(html.indexOf(`<section id="${id}"`)).split('</section>')[0] ?? '',
      );
      return [id, section.includes('free, needs the secret of the watch'), section.includes('Header')];
    });
    expect(secrets).toEqual([
      ['readWatchEvents', true, true],
      ['getWatch', true, true],
      ['editWatch', true, true],
      ['cancelWatch', true, true],
    ]);
    const places = OPERATIONS.flatMap(({ parameters }) => parameters.map((parameter) => parameter.in));
    expect(new Set(places)).toEqual(new Set(['path', 'query']));
  });

  it('has every error', () => {
    const html = render();
    for (const code of Object.keys(PROBLEMS)) expect(html).toContain(code);
  });

  it('names the payment network', () => {
    expect(render()).toContain('Base Sepolia');
  });

  it('renders an untrusted resource URL as text', () => {
    const html = render('https://example.com/</pre><script>alert(1)</script>');
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });
});
