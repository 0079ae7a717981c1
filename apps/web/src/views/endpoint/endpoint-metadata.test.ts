import { describe, expect, it } from 'vitest';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { createEndpointMetadata } from './endpoint-metadata.ts';

const SLUG = 'api-example-com-weather-abcdefgh27';

describe('createEndpointMetadata', () => {
  it('describes the endpoint, with its picture and its JSON format', () => {
    const metadata = createEndpointMetadata(createTestSnapshot());
    expect(metadata).toMatchObject({
      title: { absolute: 'Grade A: api.example.com/weather · x402 trust score · Touchstone' },
      alternates: { canonical: `/endpoint/${SLUG}`, types: { 'application/json': `/endpoint/${SLUG}.json` } },
      twitter: { images: [`/picture/${SLUG}.png`] },
    });
    expect(metadata.description).toMatch(/^Grade A, trust score 87\.4 of 100: api\.example\.com\/weather\./);
    expect(metadata.robots).toBeUndefined();
  });

  it.each([
    { grade: '?' },
    { templated: true },
    { listingStatus: 'delisted' },
    { listingSource: 'adopted' },
  ] as const)('keeps an endpoint with %j out of search engines', (override) => {
    const { robots } = createEndpointMetadata(createTestSnapshot(override));
    expect(robots).toEqual({ index: false, follow: true });
  });

  it('has different titles and descriptions for similar URLs', () => {
    const long = `https://api.example.com/${'path/'.repeat(60)}`;
    const snapshots = [
      createTestSnapshot(),
      createTestSnapshot({ resource: 'http://api.example.com/weather' }),
      createTestSnapshot({ resource: `${long}a`, endpointId: 'aaaaaaaaaa' }),
      createTestSnapshot({ resource: `${long}b`, endpointId: 'bbbbbbbbbb' }),
    ];
    const metadata = snapshots.map((snapshot) => createEndpointMetadata(snapshot));
    expect(new Set(metadata.map(({ title }) => JSON.stringify(title))).size).toBe(4);
    expect(new Set(metadata.map(({ description }) => description)).size).toBe(4);
    expect(metadata[2]?.title).toEqual({
      absolute:
        'Grade A: api.example.com/path/path/pa…th/path/path/a (aaaaaaaaaa) · x402 trust score · Touchstone',
    });
    expect(metadata[2]?.description).toMatch(/measured by Touchstone\.$/);
  });
});
