import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from './service.ts';
import { recordOutcome, TIME_LAPSE_TIMEOUT_MS } from './shared-service.ts';

/** Maximum time until the service handles signals, in milliseconds. */
const START_TIMEOUT_MS = 60_000;
const LISTINGS = fileURLToPath(new URL('../fixtures/listings.jsonl', import.meta.url));

/**
 * Starts the service that most specs share. Returns before the time-lapse of the service has ended; the specs wait for
 * its end (see shared-service.ts).
 *
 * @returns Function that stops the service.
 */
export default async function startSharedService(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-e2e-'));
  const service = await startService({ DATA_DIR: dataDir, SANDBOX_LISTINGS: LISTINGS });
  // The service prints its name when it handles signals. A short run would otherwise stop it before that.
  await service.waitForOutput('Touchstone', START_TIMEOUT_MS);
  process.env['TOUCHSTONE_URL'] = service.url;
  process.env['TOUCHSTONE_DATA_DIR'] = dataDir;
  const outcome = service.waitForOutput('schedule', TIME_LAPSE_TIMEOUT_MS).then(
    () => recordOutcome(dataDir, { error: null }),
    (error: unknown) => recordOutcome(dataDir, { error: String(error) }),
  );
  return async () => {
    const code = await service.stop();
    await outcome;
    rmSync(dataDir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The service stopped with ${String(code)}:\n${service.output()}`);
  };
}
