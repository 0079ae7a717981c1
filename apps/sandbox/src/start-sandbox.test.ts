import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadScenario } from './load-scenario.ts';
import { startSandbox } from './start-sandbox.ts';
import { clientOf, temporaryFolder, TEST_EPOCH } from './test-world.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => (folder = await temporaryFolder()));
afterEach(() => folder.remove());

test('a sandbox runs as its own process until it is stopped', async () => {
  const sandbox = await startSandbox({
    dataDir: folder.path,
    seed: 'mine',
    epoch: TEST_EPOCH,
    historyDays: 3,
  });
  const { ask, zone } = await clientOf(sandbox);
  expect(sandbox).toMatchObject({ epoch: TEST_EPOCH, endpoints: loadScenario().endpoints.length });
  expect((await zone()).port).toBe(sandbox.tlsPort);
  expect(await ask('https://skyfall.sandbox.test/v2/current')).toMatchObject({ status: 402 });
  await sandbox.stop();
  await sandbox.stop();
  await expect(fetch(sandbox.controlUrl)).rejects.toThrow();
});

test('one that cannot start says why', async () => {
  const listingsFile = join(folder.path, 'nothing.jsonl');
  await expect(startSandbox({ dataDir: folder.path, listingsFile })).rejects.toThrow(
    /SANDBOX_LISTINGS: cannot read/,
  );
});
