import { OPERATIONS, PROBLEMS, SCHEMAS } from '@touchstone/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Docs } from './docs.tsx';

const render = (resource?: string): string =>
  renderToStaticMarkup(
    <Docs
      baseUrl="https://touchstone.example"
      network="eip155:84532"
      {...(resource === undefined ? {} : { resource })}
    />,
  );

describe('the API reference', () => {
  it('has every operation with its price, its schemas and three programs', () => {
    const html = render();
    for (const { id, path, requestBody, response } of OPERATIONS) {
      const section = html.slice(html.indexOf(`<section id="${id}"`)).split('</section>')[0] ?? '';
      expect(section).toContain(path);
      expect(section.match(/<details/g)).toHaveLength(3);
      for (const payload of [requestBody, response]) {
        if (payload?.schemaName) expect(section).toContain(`href="${SCHEMAS[payload.schemaName].path}"`);
      }
    }
    expect(html.match(/\$0\.005/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('has every error', () => {
    const html = render();
    for (const code of Object.keys(PROBLEMS)) expect(html).toContain(code);
  });

  it('says on which network is paid', () => {
    expect(render()).toContain('Base Sepolia');
  });

  it('shows what a stranger listed as text', () => {
    const html = render('https://example.com/</pre><script>alert(1)</script>');
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });
});
