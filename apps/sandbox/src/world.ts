import { join } from 'node:path';
import { z } from 'zod';
import { readDataFile, writeDataFile } from './data-file.ts';
import { parseJson } from './json.ts';
import { StartupError } from './startup-error.ts';

const worldSchema = z.object({ seed: z.string().min(1), epoch: z.iso.datetime({ offset: true }) });

/** What makes a world this one: everything in it follows from these two and the scenario. */
export type World = z.infer<typeof worldSchema>;

export interface WorldWishes {
  /** Null: the stored world's, or at the first start the default. */
  readonly seed: string | null;
  /** ISO 8601; null: the stored world's, or at the first start `historyDays` before now. */
  readonly epoch: string | null;
  readonly historyDays: number;
}

const DAY_MS = 86_400_000;
const DEFAULT_SEED = 'touchstone';

const stored = (file: string, text: string): World => {
  const parsed = worldSchema.safeParse(parseJson(text));
  if (!parsed.success) throw new StartupError(`${file} is not a world; remove the folder to make a new one`);
  return parsed.data;
};

/** A world that was made with another seed or epoch cannot become the one that is asked for. */
const assertSame = (file: string, world: World, wishes: WorldWishes): void => {
  const seedDiffers = wishes.seed !== null && wishes.seed !== world.seed;
  const epochDiffers = wishes.epoch !== null && Date.parse(wishes.epoch) !== Date.parse(world.epoch);
  if (seedDiffers)
    throw new StartupError(
      `SANDBOX_SEED is "${wishes.seed}" but ${file} says "${world.seed}"; use another folder`,
    );
  if (epochDiffers)
    throw new StartupError(
      `SANDBOX_EPOCH is ${wishes.epoch} but ${file} says ${world.epoch}; use another folder`,
    );
};

/**
 * Opens the world of a data folder, or makes it at the first start.
 * @throws StartupError when the file is unreadable, or is another world than the one asked for
 */
export const openWorld = async (dataDir: string, wishes: WorldWishes): Promise<World> => {
  const file = join(dataDir, 'world.json');
  const text = await readDataFile(file);
  if (text !== null) {
    const world = stored(file, text);
    assertSame(file, world, wishes);
    return world;
  }
  const epoch =
    wishes.epoch === null ? new Date(Date.now() - wishes.historyDays * DAY_MS) : new Date(wishes.epoch);
  const world: World = { seed: wishes.seed ?? DEFAULT_SEED, epoch: epoch.toISOString() };
  await writeDataFile(file, `${JSON.stringify(world)}\n`);
  return world;
};
