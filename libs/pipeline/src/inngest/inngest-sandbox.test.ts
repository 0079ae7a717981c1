import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJobContexts } from '../create-job-contexts.ts';
import { startApplication, type Application } from '../testing/inngest/inngest-application.ts';
import { startTestSandbox, type TestSandbox } from '../testing/test-sandbox.ts';

const keys = createKeys();
let database: EmbeddedDatabase;
let sandbox: TestSandbox;
let application: Application;
/** Milliseconds by which the clock of the jobs is ahead. */
let aheadMs = 0;
beforeAll(async () => {
  database = await startMigrated({ keys });
  sandbox = await startTestSandbox();
  const openContext = createJobContexts({
    supabaseUrl: database.url,
    secretKey: keys.secret,
    directories: [sandbox.directoryUrl],
    baseUrl: 'https://touchstone.example',
    userAgent: 'Mine/1',
    sandboxFile: sandbox.file,
    onChanged: () => Promise.resolve(),
  });
  application = await startApplication(async () => ({
    ...(await openContext()),
    now: () => Date.now() + aheadMs,
  }));
  expect(await application.register()).toBe(200);
});
afterAll(async () => {
  await application.close();
  sandbox.close();
  await database.close();
});

it('reads a directory and probes the endpoints of the sandbox only', async () => {
  const { inngest } = application;
  await inngest.run('touchstone-discover');
  expect(await inngest.drain()).toMatchObject([{ output: { accepted: 2, complete: true } }]);
  // A new endpoint is due within half an hour.
  aheadMs = 30 * 60_000;
  await inngest.run('touchstone-probe');
  expect(await inngest.drain()).toMatchObject([{ failed: false, output: { claimed: 1, recorded: 1 } }]);
  expect(sandbox.userAgents).toEqual(['Mine/1']);
});
