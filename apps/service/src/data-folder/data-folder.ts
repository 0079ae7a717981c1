import fs, { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createKeys, syncFolder, type EmbeddedKeys } from '@touchstone/embedded';
import { z } from 'zod';
import { ConfigError, type Mode } from '../config/config.ts';
import { lockFolder } from './lock-folder.ts';

const stateSchema = z.object({
  keys: z.object({ publishable: z.string(), secret: z.string() }),
  /** Simulated time up to which the time-lapse has recorded results, ISO 8601; null before the time-lapse started. */
  livedUntil: z.iso.datetime().nullable(),
  /**
   * Simulated time of the last reading of the discovery directory, ISO 8601. It can be later than `livedUntil`, because
   * probe results are recorded only when slow responses have arrived.
   */
  discoveredUntil: z.iso.datetime().nullable(),
  timeLapseDone: z.boolean(),
  /** Mode whose data the folder contains. */
  mode: z.enum(['sandbox', 'live']),
});
type FolderState = z.infer<typeof stateSchema>;

export interface DataFolder {
  readonly path: string;
  readonly keys: EmbeddedKeys;
  state(): FolderState;
  /** Stores the changed properties atomically. */
  save(changes: Partial<FolderState>): void;
  /** Releases the lock of this process. */
  release(): void;
}

/**
 * Opens the data folder exclusively and creates it when missing.
 *
 * @param mode mode of the service; a folder contains data of one mode only
 * @throws ConfigError when the folder is not writable, is locked, belongs to the other mode, or has a damaged state file,
 * or a database without a state file
 */
export function openDataFolder(path: string, mode: Mode = 'sandbox'): DataFolder {
  try {
    mkdirSync(join(path, 'logs'), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw createNotWritableError(path, error);
  }
  const release = lock(path);
  const file = join(path, 'state.json');
  try {
    const found = readState(file);
    if (found === null && existsSync(join(path, 'db'))) throw createIncompleteError(path);
    let state = found ?? {
      keys: createKeys(),
      livedUntil: null,
      discoveredUntil: null,
      timeLapseDone: false,
      mode,
    };
    if (state.mode !== mode) {
      throw new ConfigError(
        `DATA_DIR ${path} contains the data of ${state.mode} mode. Set DATA_DIR to another folder.`,
      );
    }
    const save = (changes: Partial<FolderState>): void => {
      state = { ...state, ...changes };
      writePrivateFile(file, `${JSON.stringify(state, null, 2)}\n`);
    };
    save({});
    return { path, keys: state.keys, state: () => state, save, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Creates the error for a data folder without its state file, which contains the database keys. */
function createIncompleteError(path: string): ConfigError {
  return new ConfigError(
    `DATA_DIR ${path} has a database and no state.json, as after an interrupted restore. ` +
      'Move the folder away, and restore a backup or start with an empty folder.',
  );
}

function createNotWritableError(path: string, error: unknown): ConfigError {
  return new ConfigError(
    `DATA_DIR must be a writable folder; received ${path} (${(error as Error).message})`,
  );
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
    throw new ConfigError(
      `${file} is damaged or was written by another version of Touchstone. Restore it, or move its folder away to start with an empty one.`,
    );
  }
}

/**
 * Locks the folder for this process.
 *
 * @returns a function that releases the lock
 * @throws ConfigError when another service uses the folder, or the folder is not writable
 */
function lock(path: string): () => void {
  let locked: ReturnType<typeof lockFolder>;
  try {
    locked = lockFolder(path);
  } catch (error) {
    throw error instanceof ConfigError ? error : createNotWritableError(path, error);
  }
  if (typeof locked === 'function') return locked;
  throw new ConfigError(
    `DATA_DIR ${path} is in use by ${locked.heldBy === null ? 'another process' : `process ${locked.heldBy}`}. Stop that process, or set DATA_DIR to another folder.`,
  );
}

/**
 * Writes a file that only its owner can read. The write is atomic, and the file is on the disk when the function
 * returns. A partly written key file would make every later start fail. A lost key file would make encrypted data
 * unreadable.
 *
 * @throws ConfigError with the reason when the disk is full or the folder is not writable
 */
export function writePrivateFile(file: string, text: string): void {
  try {
    writeSynced(`${file}.new`, text);
    fs.renameSync(`${file}.new`, file);
    syncFolder(dirname(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `${file} cannot be written (${reason}). Free disk space, or make its folder writable.`,
    );
  }
}

function writeSynced(file: string, text: string): void {
  const descriptor = fs.openSync(file, 'w', 0o600);
  try {
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
