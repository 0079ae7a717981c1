import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { createTestSnapshot } from '../testing/test-snapshot.ts';
import {
  JsonLd,
  createCollectionJsonLd,
  createDatasetJsonLd,
  createEndpointJsonLd,
  createSiteJsonLd,
  toScriptSafeJson,
} from './json-ld.tsx';

const ORIGIN = 'https://touchstone.example';

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
    const untrusted = '</script><script>alert(1)</script><!--';
    const snapshot = createTestSnapshot({
      serviceName: untrusted,
      description: untrusted,
      resource: `https://x.example/${untrusted}`,
    });
    const breadcrumbs = [{ name: untrusted, path: '/provider/x.example' }] as const;
    const collection = { name: untrusted, description: untrusted, breadcrumbs, snapshots: [snapshot] };
    for (const data of [createEndpointJsonLd(snapshot, ORIGIN), createCollectionJsonLd(collection, ORIGIN)]) {
      const html = renderToStaticMarkup(<JsonLd data={data} />);
      expect(html.match(/<script/g)).toHaveLength(1);
      expect(html.match(/<\/script/g)).toHaveLength(1);
      expect(html).toMatch(/^<script type="application\/ld\+json">.*<\/script>$/);
    }
  });
});

describe('createEndpointJsonLd', () => {
  it('describes the endpoint and its page with breadcrumbs', () => {
    const data = createEndpointJsonLd(createTestSnapshot(), ORIGIN);
    const page = `${ORIGIN}/endpoint/api-example-com-weather-abcdefgh27`;
    expect(data['@graph']).toMatchObject([
      { '@type': 'WebAPI', name: 'Weather', url: 'https://api.example.com/weather' },
      {
        '@type': 'WebPage',
        url: page,
        dateModified: '2026-03-03T00:00:00.000Z',
        breadcrumb: {
          itemListElement: [
            { position: 1, name: 'Touchstone', item: `${ORIGIN}/` },
            { position: 2, name: 'Explore', item: `${ORIGIN}/explore` },
            { position: 3, name: 'api.example.com', item: `${ORIGIN}/provider/api.example.com` },
            { position: 4, name: '/weather', item: page },
          ],
        },
      },
    ]);
    expect(JSON.stringify(data)).not.toContain('Rating');
  });

  it('omits a URL that is not http or https', () => {
    const data = createEndpointJsonLd(createTestSnapshot({ resource: 'javascript:alert(1)' }), ORIGIN);
    expect(JSON.stringify(data)).not.toContain('"url":"javascript');
  });
});

describe('createSiteJsonLd', () => {
  it('describes the search with a URL that has the query as a parameter', () => {
    expect(JSON.stringify(createSiteJsonLd(ORIGIN))).toContain(
      `"urlTemplate":"${ORIGIN}/explore?q={query}"},"query-input":"required name=query"`,
    );
  });
});

describe('createCollectionJsonLd', () => {
  it('lists the endpoints in their order', () => {
    const snapshots = [createTestSnapshot(), createTestSnapshot({ slug: 'second-abcdefgh22' })];
    const breadcrumbs = [{ name: 'Leaderboard', path: '/trust/leaderboard' }] as const;
    const data = createCollectionJsonLd(
      { name: 'Leaderboard', description: 'Best.', breadcrumbs, snapshots },
      ORIGIN,
    );
    expect(data['@graph']).toMatchObject([
      {
        '@type': 'CollectionPage',
        url: `${ORIGIN}/trust/leaderboard`,
        mainEntity: {
          numberOfItems: 2,
          itemListElement: [
            { position: 1, url: `${ORIGIN}/endpoint/api-example-com-weather-abcdefgh27` },
            { position: 2, url: `${ORIGIN}/endpoint/second-abcdefgh22` },
          ],
        },
      },
    ]);
  });
});

describe('createDatasetJsonLd', () => {
  const dataset = {
    name: 'Statistics',
    description: 'Figures by day.',
    path: '/trust/stats',
    pageName: 'Statistics',
    modifiedAt: '2026-03-03T00:00:00.000Z',
    days: { first: '2026-02-01', last: '2026-03-03' },
  };

  it('states the time and the days of the figures and the JSON format', () => {
    expect(createDatasetJsonLd(dataset, ORIGIN)['@graph']).toMatchObject([
      {
        '@type': 'Dataset',
        dateModified: dataset.modifiedAt,
        temporalCoverage: '2026-02-01/2026-03-03',
        distribution: { encodingFormat: 'application/json', contentUrl: `${ORIGIN}/trust/stats.json` },
      },
      { '@type': 'WebPage' },
    ]);
  });

  it('states no time without figures', () => {
    const text = JSON.stringify(createDatasetJsonLd({ ...dataset, modifiedAt: null, days: null }, ORIGIN));
    expect(text).not.toMatch(/dateModified|temporalCoverage/);
  });
});
