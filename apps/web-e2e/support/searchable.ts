import { expect, vi } from 'vitest';
import { readEndpointPage, readFigure } from './pages/page-text.ts';

const RESOURCE = 'https://mintcheck.sandbox.test/v1/nft/rarity';

/**
 * Waits until the service sells semantic searches. The service counts the better alternatives to an endpoint after all
 * texts are embedded, so this function waits until an endpoint page shows this number.
 */
export async function waitUntilSearchable(): Promise<void> {
  const readCount = async () => readFigure(await readEndpointPage(RESOURCE), 'Better alternatives');
  await vi.waitFor(async () => expect(await readCount()).toMatch(/^(?:\d+|none)/), {
    timeout: 100_000,
    interval: 250,
  });
}
