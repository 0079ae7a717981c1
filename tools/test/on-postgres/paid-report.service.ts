import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '../../../libs/embedded/src/index.ts';
import { findFreePort } from '../../../libs/embedded/src/testing/postgres.ts';
import { startMigrated } from '../../../libs/embedded/src/testing/start-migrated.ts';

/**
 * Tests the started service on PostgreSQL. It needs the built site, so it runs only in the stage `postgres`, after the
 * stage `build`.
 */
const ROOT = join(import.meta.dirname, '../../..');
const RESOURCE = 'https://skyfall.sandbox.test/v2/current';
const run = promisify(execFile);

let database: EmbeddedDatabase;
let folder: string;
let environment: NodeJS.ProcessEnv;
let service: ChildProcess | null = null;

/** Waits until all parts of the service run. */
async function waitUntilStarted(child: ChildProcess): Promise<void> {
  let output = '';
  await new Promise<void>((ready, failed) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('  schedule ')) ready();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => failed(new Error(`The service ended:\n${output}`)));
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-on-postgres-'));
  const keys = createKeys();
  database = await startMigrated({ keys });
  environment = {
    // Vitest sets variables that the service reads, such as BASE_URL.
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    PORT: String(await findFreePort()),
    DATA_DIR: folder,
    SANDBOX_DAYS: '0',
    SITE_BUILD: 'skip',
    SUPABASE_URL: database.url,
    SUPABASE_PUBLISHABLE_KEY: keys.publishable,
    SUPABASE_SECRET_KEY: keys.secret,
  };
  service = spawn(process.execPath, ['apps/service/src/main.ts'], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await waitUntilStarted(service);
}, 240_000);
afterAll(async () => {
  if (service !== null && service.exitCode === null) {
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
  }
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

it('sells a report, and records its settlement', async () => {
  const { stdout } = await run(
    process.execPath,
    ['apps/cli/bin/touchstone.mjs', 'buy', 'trust', '--sandbox', '--yes', '--json', RESOURCE],
    { cwd: ROOT, env: environment },
  );
  expect(JSON.parse(stdout)).toMatchObject({ resource: RESOURCE, freshness: { live: true } });
  const { rows } = await database.connection.driver.query(
    'select state, route, transaction is not null as "hasTransaction" from public.payments',
  );
  expect(rows).toEqual([{ state: 'settled', route: 'POST /v1/x402-trust', hasTransaction: true }]);
}, 60_000);
