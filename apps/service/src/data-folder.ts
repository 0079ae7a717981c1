import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKeys, type EmbeddedKeys } from '@touchstone/embedded';
import { z } from 'zod';
import { ConfigError, type Mode } from './config.ts';

const stateSchema = z.object({
  keys: z.object({ publishable: z.string(), secret: z.string() }),
  /** Up to when the time-lapse of the sandbox is recorded, ISO 8601; null before it began. */
  livedUntil: z.iso.datetime().nullable(),
  /** When it last read the directory; recording comes behind, because slow answers are waited for. */
  discoveredUntil: z.iso.datetime().nullable(),
  timeLapseDone: z.boolean(),
  /** What it is filled with. */
  mode: z.enum(['sandbox', 'live']).default('sandbox'),
});
type FolderState = z.infer<typeof stateSchema>;

export interface DataFolder {
  readonly path: string;
  readonly keys: EmbeddedKeys;
  state(): FolderState;
  /** Stores what changed of the state, all of it or nothing. */
  save(changes: Partial<FolderState>): void;
  /** Gives the folder back to others. */
  release(): void;
}

/**
 * Opens the data folder for this process alone, making it at first.
 * @param mode what it is filled with; what is made up and what is real are not mixed
 * @throws ConfigError when it cannot be written, is in use, is of the other mode, or its state file is damaged.
 */
export function openDataFolder(path: string, mode: Mode = 'sandbox'): DataFolder {
  try {
    mkdirSync(join(path, 'logs'), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(`DATA_DIR=${path} cannot be written: ${(error as Error).message}`);
  }
  const release = lock(join(path, 'lock'), path);
  const file = join(path, 'state.json');
  try {
    let state = readState(file) ?? {
      keys: createKeys(),
      livedUntil: null,
      discoveredUntil: null,
      timeLapseDone: false,
      mode,
    };
    if (state.mode !== mode) {
      throw new ConfigError(`DATA_DIR=${path} holds the data of the ${state.mode} service: set another one`);
    }
    const save = (changes: Partial<FolderState>): void => {
      state = { ...state, ...changes };
      // The keys of the database are in this file: it is replaced whole, never half written.
      writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    };
    save({});
    return { path, keys: state.keys, state: () => state, save, release };
  } catch (error) {
    release();
    throw error;
  }
}

function readState(file: string): FolderState | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(`${file} is damaged: restore it, or move its folder away to start afresh`);
  }
}

/** A lock file with the owner's process id; one whose process is gone is taken over. */
function lock(file: string, folder: string): () => void {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const handle = openSync(file, 'wx', 0o600);
      writeFileSync(handle, String(process.pid));
      closeSync(handle);
      return () => {
        rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new ConfigError(`DATA_DIR=${folder} cannot be written: ${(error as Error).message}`);
      }
      const owner = Number(readFileSync(file, 'utf8'));
      if (isAlive(owner)) {
        throw new ConfigError(`${folder} is in use by process ${owner}: stop it, or set another DATA_DIR`);
      }
      rmSync(file, { force: true });
    }
  }
  throw new ConfigError(`${folder} is being opened by another process: try again`);
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
