import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadScenario } from './scenario/load-scenario.ts';
import { startSandbox } from './start-sandbox.ts';
import { createTestClient, createTemporaryFolder, TEST_EPOCH } from './testing/test-sandbox.ts';

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => (folder = await createTemporaryFolder()));
afterEach(() => folder.remove());

test('runs a sandbox in a child process until it is stopped', async () => {
  const sandbox = await startSandbox({
    dataDir: folder.path,
    seed: 'mine',
    epoch: TEST_EPOCH,
    historyDays: 3,
  });
  const { request: ask, zone } = await createTestClient(sandbox);
  expect(sandbox).toMatchObject({ epoch: TEST_EPOCH, endpoints: loadScenario().endpoints.length });
  expect((await zone()).port).toBe(sandbox.tlsPort);
  expect(await ask('https://skyfall.sandbox.test/v2/current')).toMatchObject({ status: 402 });
  await sandbox.stop();
  await sandbox.stop();
  await expect(fetch(sandbox.controlUrl)).rejects.toThrow();
});

test('fails with the error output of the sandbox', async () => {
  const listingsFile = join(folder.path, 'nothing.jsonl');
  await expect(startSandbox({ dataDir: folder.path, listingsFile })).rejects.toThrow(
    /SANDBOX_LISTINGS: cannot read/,
  );
});
