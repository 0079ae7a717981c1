import { expect, it, vi } from 'vitest';
import { findSampleResource } from './sample-resource.ts';

const findBestProbedResource = vi.hoisted(() => vi.fn<() => Promise<string | null>>());
vi.mock('next/cache', () => ({ unstable_cache: (read: unknown) => read }));
vi.mock('../../platform/database/databases.ts', () => ({
  getPublicStore: () => ({ readLeaderboard: () => Promise.resolve([]), findBestProbedResource }),
}));

it('distinguishes an empty catalog from a failed read', async () => {
  findBestProbedResource.mockResolvedValueOnce(null);
  expect(await findSampleResource()).toBeNull();
  findBestProbedResource.mockRejectedValueOnce(new Error('The database is down'));
  expect(await findSampleResource()).toBeUndefined();
});
