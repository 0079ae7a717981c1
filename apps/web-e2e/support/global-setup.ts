import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from './service.ts';

const LISTINGS = fileURLToPath(new URL('../fixtures/listings.jsonl', import.meta.url));
const TIME_LAPSE_MS = 6 * 60_000;

/** One service for all specs: it lives through its time-lapse first, so that every page has something to say. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-e2e-'));
  const service = await startService({ DATA_DIR: dataDir, SANDBOX_LISTINGS: LISTINGS });
  try {
    await service.printed('schedule', TIME_LAPSE_MS);
  } catch (error) {
    await service.stop();
    throw error;
  }
  process.env['TOUCHSTONE_URL'] = service.url;
  process.env['TOUCHSTONE_DATA_DIR'] = dataDir;
  return async () => {
    const code = await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The service stopped with ${String(code)}:\n${service.output()}`);
  };
}
