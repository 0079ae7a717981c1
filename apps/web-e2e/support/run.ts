import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import startSharedService from './shared/shared-service.ts';

// Starts the shared service, and runs the tests over HTTP and then the tests in the browser against it.

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const { resolve } = createRequire(import.meta.url);
const VITEST = join(dirname(resolve('vitest/package.json')), 'vitest.mjs');
const PLAYWRIGHT = resolve('@playwright/test/cli');

/** Runs a test runner, and returns true if it succeeded. */
async function runTests(...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: FOLDER, stdio: 'inherit' });
  // The event `exit` has the exit code, which is null after a signal, as its first argument.
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

// Without this, a signal would end this process and leave the service running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const stop = await startSharedService();
try {
  const results = [await runTests(VITEST, 'run'), await runTests(PLAYWRIGHT, 'test')];
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  await stop();
}
