import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from './service.ts';
import { OUTCOME_FILE_VARIABLE, recordOutcome, TIME_LAPSE_TIMEOUT_MS } from './shared-service.ts';

/** Maximum time until the service handles signals, in milliseconds. */
const START_TIMEOUT_MS = 60_000;
const LISTINGS = fileURLToPath(new URL('../fixtures/listings.jsonl', import.meta.url));

/**
 * Returns true if the environment names a running service. The specs then use this service, and global setup starts
 * none. An operator sets TOUCHSTONE_URL to the URL of the site, and TOUCHSTONE_DATA_DIR to the data folder.
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
 * Starts the service that most specs share. Returns before the time-lapse of the service has ended; the specs wait for
 * its end (see shared-service.ts).
 *
 * @returns Function that stops the service; undefined if it was already running.
 */
export default async function startSharedService(): Promise<(() => Promise<void>) | undefined> {
  if (hasRunningService()) return undefined;
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-e2e-'));
  const service = await startService({ DATA_DIR: dataDir, SANDBOX_LISTINGS: LISTINGS });
  // The service prints its name when it handles signals. A short run would otherwise stop it before that.
  await service.waitForOutput('Touchstone', START_TIMEOUT_MS);
  process.env['TOUCHSTONE_URL'] = service.url;
  process.env['TOUCHSTONE_DATA_DIR'] = dataDir;
  const outcomeFile = join(dataDir, 'e2e-ready.json');
  process.env[OUTCOME_FILE_VARIABLE] = outcomeFile;
  const outcome = service.waitForOutput('schedule', TIME_LAPSE_TIMEOUT_MS).then(
    () => recordOutcome(outcomeFile, { error: null }),
    (error: unknown) => recordOutcome(outcomeFile, { error: String(error) }),
  );
  return async () => {
    const code = await service.stop();
    await outcome;
    rmSync(dataDir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The service stopped with ${String(code)}:\n${service.output()}`);
  };
}
