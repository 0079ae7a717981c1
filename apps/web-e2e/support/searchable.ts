import { expect, vi } from 'vitest';
import { readEndpointPage, readFigure } from './pages/page-text.ts';

const RESOURCE = 'https://mintcheck.sandbox.test/v1/nft/rarity';

/**
 * Waits until the service sells searches: until the page of an endpoint shows its number of better alternatives. The job
 * counts after it has embedded all texts.
 */
export async function waitUntilSearchable(): Promise<void> {
  const readCount = async () => readFigure(await readEndpointPage(RESOURCE), 'Better alternatives');
  await vi.waitFor(async () => expect(await readCount()).toMatch(/^(?:\d+|none)/), {
    timeout: 100_000,
    interval: 250,
  });
}
