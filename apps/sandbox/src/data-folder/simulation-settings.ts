import { join } from 'node:path';
import { DAY_MS, parseJson } from '@touchstone/common';
import { z } from 'zod';
import { StartupError } from '../startup-error.ts';
import { readDataFile, writeDataFile } from './data-file.ts';

const settingsSchema = z.object({ seed: z.string().min(1), epoch: z.iso.datetime({ offset: true }) });

/**
 * Seed and start time (epoch) of a simulation. The seed, the epoch and the scenario determine all responses of the
 * endpoints.
 */
export type SimulationSettings = z.infer<typeof settingsSchema>;

/** Seed and epoch that the configuration requests. */
export interface RequestedSettings {
  /** Requested seed. Null selects the stored seed, or the default seed at the first start. */
  readonly seed: string | null;
  /**
   * Requested start of the simulated time, ISO 8601. Null selects the stored epoch; at the first start, the simulated
   * time then begins `historyDays` days ago.
   */
  readonly epoch: string | null;
  readonly historyDays: number;
}

const DEFAULT_SEED = 'touchstone';

function parseSettings(file: string, text: string): SimulationSettings {
  const parsed = settingsSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new StartupError(`${file} is damaged; remove its folder to start a new simulation`);
  return parsed.data;
}

/**
 * Throws a StartupError when the requested seed or epoch differs from the stored value. All other data in the folder is
 * valid only for the stored seed and epoch.
 */
function assertUnchanged(file: string, stored: SimulationSettings, requested: RequestedSettings): void {
  const seedDiffers = requested.seed !== null && requested.seed !== stored.seed;
  const epochDiffers = requested.epoch !== null && Date.parse(requested.epoch) !== Date.parse(stored.epoch);
  if (seedDiffers)
    throw new StartupError(
      `SANDBOX_SEED is "${requested.seed}" but ${file} has "${stored.seed}"; use another folder`,
    );
  if (epochDiffers)
    throw new StartupError(
      `SANDBOX_EPOCH is ${requested.epoch} but ${file} has ${stored.epoch}; use another folder`,
    );
}

/**
 * Reads the seed and epoch of a data folder from the file `world.json`. Creates the file at the first start.
 * @throws StartupError when the file is damaged, or when the requested settings differ from the stored settings
 */
export async function openSimulationSettings(
  dataDir: string,
  requested: RequestedSettings,
): Promise<SimulationSettings> {
  const file = join(dataDir, 'world.json');
  const text = await readDataFile(file);
  if (text !== null) {
    const stored = parseSettings(file, text);
    assertUnchanged(file, stored, requested);
    return stored;
  }
  const epoch =
    requested.epoch === null
      ? new Date(Date.now() - requested.historyDays * DAY_MS)
      : new Date(requested.epoch);
  const settings: SimulationSettings = { seed: requested.seed ?? DEFAULT_SEED, epoch: epoch.toISOString() };
  await writeDataFile(file, `${JSON.stringify(settings)}\n`);
  return settings;
}
