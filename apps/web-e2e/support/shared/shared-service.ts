import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../service.ts';
import { copyHistory, LISTINGS } from './history.ts';

/**
 * Maximum time until the service runs its jobs, in milliseconds. The service first continues its history until the
 * present time.
 */
const START_TIMEOUT_MS = 300_000;

/**
 * Returns true if the environment names a running service. The tests then use this service. An operator sets
 * TOUCHSTONE_URL to the URL of the site, and TOUCHSTONE_DATA_DIR to the data folder.
 */
function hasRunningService(): boolean {
  const { TOUCHSTONE_URL: url, TOUCHSTONE_DATA_DIR: dataDir } = process.env;
  if (url !== undefined && dataDir === undefined) {
    throw new Error(
      'TOUCHSTONE_URL is set without TOUCHSTONE_DATA_DIR. Set it to the data folder of that service.',
    );
  }
  return url !== undefined;
}

/**
 * Starts the service that the tests share, with a copy of the history of 14 simulated days, unless the environment names
 * a running service. Vitest and Playwright call this function before their first test.
 *
 * @returns Function that stops the service
 */
export default async function startSharedService(): Promise<() => Promise<void>> {
  if (hasRunningService()) return () => Promise.resolve();
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-e2e-'));
  await copyHistory(dataDir);
  const service = await startService({ DATA_DIR: dataDir, SANDBOX_LISTINGS: LISTINGS });
  const stop = async (): Promise<void> => {
    const code = await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The service stopped with ${String(code)}:\n${service.output()}`);
  };
  try {
    await service.waitForOutput('jobs are running', START_TIMEOUT_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  process.env['TOUCHSTONE_URL'] = service.url;
  process.env['TOUCHSTONE_DATA_DIR'] = dataDir;
  return stop;
}
