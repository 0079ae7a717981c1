import { createPreview } from '@touchstone/pipeline';
import { unstable_cache } from 'next/cache';
import { readVantage, getSiteOrigin } from '../platform/config/config.ts';
import { PAGE_LIFETIME_S } from '../serving/page-cache/page-lifetime.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { signIfConfigured } from './sign-document.ts';

/**
 * Returns the preview: complete, signed reports on three endpoints that the caller cannot choose. The preview has the
 * cache tag of the leaderboard, because both use the same ranking.
 */
export const loadPreview = unstable_cache(createSignedPreview, ['preview'], {
  tags: ['leaderboard'],
  revalidate: PAGE_LIFETIME_S,
});

async function createSignedPreview() {
  const generatedAt = Date.now();
  const { population, populationRule, samples } = await createPreview(getSecretDatabase(), {
    baseUrl: getSiteOrigin(process.env),
    vantage: readVantage(process.env),
    generatedAt,
  });
  return {
    generatedAt: new Date(generatedAt).toISOString(),
    population,
    populationRule,
    samples: await Promise.all(
      samples.map(async ({ report, ...sample }) => ({ ...sample, report: await signIfConfigured(report) })),
    ),
  };
}
