import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { endpointJsonLd } from './endpoint-json-ld.ts';
import { JsonLd, jsonForScript } from './json-ld.tsx';
import { testSnapshot } from './test-snapshot.ts';

describe('jsonForScript', () => {
  it('holds no bare < and still means the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = jsonForScript(value);
        expect(text).not.toContain('<');
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('JsonLd', () => {
  it('cannot be left by the text of a stranger', () => {
    const hostile = '</script><script>alert(1)</script><!--';
    const data = endpointJsonLd(
      testSnapshot({ serviceName: hostile, description: hostile, resource: `https://x.example/${hostile}` }),
      'https://touchstone.example',
    );
    const html = renderToStaticMarkup(<JsonLd data={data} />);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html.match(/<\/script/g)).toHaveLength(1);
    expect(html).toMatch(/^<script type="application\/ld\+json">.*<\/script>$/);
  });
});

describe('endpointJsonLd', () => {
  it('describes the endpoint and where its page stands', () => {
    const data = endpointJsonLd(testSnapshot(), 'https://touchstone.example');
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

  it('gives no address that is not a web address', () => {
    const data = endpointJsonLd(
      testSnapshot({ resource: 'javascript:alert(1)' }),
      'https://touchstone.example',
    );
    expect(JSON.stringify(data)).not.toContain('"url":"javascript');
  });
});
