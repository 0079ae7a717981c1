import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import startSharedService from './shared/shared-service.ts';

// Starts the shared service, and runs the HTTP tests and then the browser tests against the service. Arguments select
// test files by name.

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const { resolve } = createRequire(import.meta.url);
const VITEST = join(dirname(resolve('vitest/package.json')), 'vitest.mjs');
const PLAYWRIGHT = resolve('@playwright/test/cli');

let child: ChildProcess | null = null;

/** Runs a test runner, and returns true if it succeeded. */
async function runTests(...args: readonly string[]): Promise<boolean> {
  child = spawn(process.execPath, args, { cwd: FOLDER, stdio: 'inherit' });
  // The first argument of the event `exit` is the exit code. The exit code is null after a signal.
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

const stopping = new AbortController();
// After a signal, the test runner ends first, and then the service is stopped.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopping.abort();
    child?.kill(signal);
  });
}
const filters = process.argv.slice(2);
const stop = await startSharedService();
try {
  const runs = [
    [VITEST, 'run', ...filters, ...(filters.length > 0 ? ['--passWithNoTests'] : [])],
    [PLAYWRIGHT, 'test', ...filters, ...(filters.length > 0 ? ['--pass-with-no-tests'] : [])],
  ];
  const results: boolean[] = [];
  for (const args of runs) results.push(!stopping.signal.aborted && (await runTests(...args)));
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  await stop();
}
