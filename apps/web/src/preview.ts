import { createPreview } from '@touchstone/pipeline';
import { signReport } from '@touchstone/trust';
import { unstable_cache } from 'next/cache';
import { readVantage, siteOrigin } from './config.ts';
import { PAGE_LIFETIME_S } from './page-lifetime.ts';
import { secretDb } from './secret-data.ts';
import { signingKeys } from './signing-keys.ts';

/**
 * The answer of the preview: complete, signed reports on three endpoints that the caller does not choose. Kept like
 * the leaderboard, because it shows the same ranking.
 */
export const preview = unstable_cache(makePreview, ['preview'], {
  tags: ['leaderboard'],
  revalidate: PAGE_LIFETIME_S,
});

async function makePreview() {
  const generatedAt = Date.now();
  const keys = await signingKeys();
  const { population, samples } = await createPreview(secretDb(), {
    baseUrl: siteOrigin(process.env),
    vantage: readVantage(process.env),
    generatedAt,
  });
  return {
    generatedAt: new Date(generatedAt).toISOString(),
    population,
    samples: await Promise.all(
      samples.map(async ({ report, ...sample }) => ({
        ...sample,
        report: keys === null ? report : await signReport(report, keys.signing),
      })),
    ),
  };
}
