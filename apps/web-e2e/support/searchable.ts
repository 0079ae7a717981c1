import { setTimeout as sleep } from 'node:timers/promises';
import { readEndpointPage, readFigure } from './pages/page-text.ts';

const RESOURCE = 'https://mintcheck.sandbox.test/v1/nft/rarity';

/**
 * Waits until the service sells searches: until the page of an endpoint shows its number of better alternatives. The job
 * counts after it has embedded all texts.
 */
export async function waitUntilSearchable(): Promise<void> {
  const readCount = async () => readFigure(await readEndpointPage(RESOURCE), 'Better alternatives');
  while (!/^(?:\d+|none)/.test(await readCount())) await sleep(250);
}
