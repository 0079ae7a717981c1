import { setTimeout as sleep } from 'node:timers/promises';
import { toEndpointPath } from './endpoint-path.ts';
import { test as base } from './shared-service.ts';

/** Maximum time until the job has embedded all texts and counted the better alternatives, in milliseconds. */
const SEARCHABLE_TIMEOUT_MS = 180_000;
const RESOURCE = 'https://mintcheck.sandbox.test/v1/nft/rarity';

/**
 * Waits until the free page of an endpoint shows its number of better alternatives. The job counts after it has embedded
 * all texts, so the service can then sell searches.
 */
async function waitForCount(): Promise<void> {
  for (;;) {
    const response = await fetch(`${process.env['TOUCHSTONE_URL'] ?? ''}${toEndpointPath(RESOURCE)}`);
    const html = await response.text();
    if (html.includes('Better alternatives') && !html.includes('not computed yet')) return;
    await sleep(1_000);
  }
}

/** Test that uses the shared service when its catalog can be searched. */
export const test = base.extend<object, { readonly searchable: undefined }>({
  searchable: [
    async ({ timeLapse }, use) => {
      await waitForCount();
      await use(timeLapse);
    },
    { scope: 'worker', auto: true, timeout: SEARCHABLE_TIMEOUT_MS },
  ],
});

export { expect } from './shared-service.ts';
