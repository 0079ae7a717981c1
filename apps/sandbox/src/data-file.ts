import { readFile, rename, writeFile } from 'node:fs/promises';
import { reasonOf, StartupError } from './startup-error.ts';

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * Reads a file of the data folder.
 * @returns its text, or null when there is none yet
 * @throws StartupError when it is there and cannot be read
 */
export const readDataFile = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw new StartupError(`cannot read ${path}: ${reasonOf(error)}`);
  }
};

/**
 * Writes a file of the data folder whole or not at all.
 * @param mode permissions; 0600 for what must stay secret
 * @throws StartupError when the folder cannot be written
 */
export const writeDataFile = async (path: string, text: string, mode = 0o600): Promise<void> => {
  const draft = `${path}.${process.pid}.new`;
  try {
    await writeFile(draft, text, { mode });
    await rename(draft, path);
  } catch (error) {
    throw new StartupError(`cannot write ${path}: ${reasonOf(error)}`);
  }
};
