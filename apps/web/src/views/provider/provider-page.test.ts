import { describe, expect, it } from 'vitest';
import { createTestProvider } from '../../testing/test-provider.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { createProviderJsonLd, createProviderMetadata } from './provider-page.ts';

describe('createProviderMetadata', () => {
  it('names the host, the number of endpoints and the uptime', () => {
    const metadata = createProviderMetadata(createTestProvider());
    expect(metadata).toMatchObject({
      title: { absolute: 'api.example.com: x402 endpoints and trust scores · Touchstone' },
      description: expect.stringContaining(
        '120 x402 endpoints of api.example.com with 98.7 % uptime',
      ) as string,
      alternates: {
        canonical: '/provider/api.example.com',
        types: { 'application/atom+xml': '/events.atom?host=api.example.com' },
      },
    });
    expect(metadata).not.toHaveProperty('robots');
    const one = createProviderMetadata(createTestProvider({ endpoints: 1, uptime30d: null }));
    expect(one.description).toContain('1 x402 endpoint of api.example.com: grades');
  });

  it.each([0, 1])(
    'excludes the page from search engines if they may list %i of its endpoints',
    (indexable) => {
      const metadata = createProviderMetadata(createTestProvider({ indexable }));
      expect(metadata.robots).toEqual({ index: false, follow: true });
      expect(createProviderMetadata(createTestProvider({ indexable: 2 }))).not.toHaveProperty('robots');
    },
  );
});

describe('createProviderJsonLd', () => {
  it('has the breadcrumbs and the endpoints of the page', () => {
    const snapshots = [createTestSnapshot()];
    const collection = createProviderJsonLd({ provider: createTestProvider(), snapshots });
    expect(collection.breadcrumbs.map(({ path }) => path)).toEqual(['/explore', '/provider/api.example.com']);
    expect(collection.snapshots).toBe(snapshots);
  });
});
