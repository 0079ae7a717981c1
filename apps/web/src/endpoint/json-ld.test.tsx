import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { createEndpointJsonLd } from './endpoint-json-ld.ts';
import { JsonLd, toScriptSafeJson } from './json-ld.tsx';
import { createTestSnapshot } from '../testing/test-snapshot.ts';

describe('toScriptSafeJson', () => {
  it('contains no bare < and keeps the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = toScriptSafeJson(value);
        expect(text).not.toContain('<');
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('JsonLd', () => {
  it('is not closed by untrusted text', () => {
    const hostile = '</script><script>alert(1)</script><!--';
    const data = createEndpointJsonLd(
      createTestSnapshot({
        serviceName: hostile,
        description: hostile,
        resource: `https://x.example/${hostile}`,
      }),
      'https://touchstone.example',
    );
    const html = renderToStaticMarkup(<JsonLd data={data} />);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html.match(/<\/script/g)).toHaveLength(1);
    expect(html).toMatch(/^<script type="application\/ld\+json">.*<\/script>$/);
  });
});

describe('createEndpointJsonLd', () => {
  it('describes the endpoint and its page with breadcrumbs', () => {
    const data = createEndpointJsonLd(createTestSnapshot(), 'https://touchstone.example');
    expect(data['@graph']).toMatchObject([
      { '@type': 'WebAPI', name: 'Weather', url: 'https://api.example.com/weather' },
      {
        '@type': 'WebPage',
        url: 'https://touchstone.example/endpoint/api-example-com-weather-abcdefgh27',
        dateModified: '2026-03-03T00:00:00.000Z',
        breadcrumb: { itemListElement: [{ position: 1 }, { position: 2 }, { position: 3 }] },
      },
    ]);
    expect(JSON.stringify(data)).not.toContain('Rating');
  });

  it('omits a URL that is not http or https', () => {
    const data = createEndpointJsonLd(
      createTestSnapshot({ resource: 'javascript:alert(1)' }),
      'https://touchstone.example',
    );
    expect(JSON.stringify(data)).not.toContain('"url":"javascript');
  });
});
