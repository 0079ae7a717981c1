import { ECOSYSTEM_EVENT_KINDS } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { REMOVED_ID, useTestDatabase } from '../../testing/test-database.ts';

const { getModules } = useTestDatabase(() => import('./events-route.ts'));

const get = (query: string, format: 'atom' | 'json' = 'atom') => {
  const { atomRoute, jsonFeedRoute } = getModules();
  const url = `https://touchstone.example/events.${format}?${query}`;
  return Promise.resolve((format === 'atom' ? atomRoute : jsonFeedRoute).GET(new Request(url)));
};

describe('/events.atom and /events.json', () => {
  it.each([
    ['endpoint=api-example-com-aaaaaaaaaa', 404, 'unknown-resource'],
    ['host=unknown.example', 404, 'unknown-resource'],
    [`endpoint=${REMOVED_ID}`, 410, 'resource-removed'],
  ] as const)('respond to %s with status %i', async (query, status, code) => {
    for (const format of ['atom', 'json'] as const) {
      const response = await get(query, format);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ code, instance: `/events.${format}` });
    }
  });

  it('refuse invalid values, and name what is expected', async () => {
    const response = await get('kind=outages&host=a/b');
    expect(response.status).toBe(400);
    const { detail } = (await response.json()) as { readonly detail: string };
    expect(detail).toContain(`kind must be one of ${ECOSYSTEM_EVENT_KINDS.join(', ')}`);
    expect(detail).toContain('Received host=a/b, kind=outages.');
  });
});
