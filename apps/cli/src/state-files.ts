import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { z } from 'zod';

/** Returns the folder for program state (XDG Base Directory Specification), or its equivalent on Windows. */
export function findStateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg !== undefined && xdg.startsWith('/')) return join(xdg, 'touchstone');
  if (process.platform === 'win32' && local) return join(local, 'touchstone');
  return join(homedir(), '.local', 'state', 'touchstone');
}

/** Writes a value as JSON to a file that only the owner can read. */
export function writeStateFile(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Because of the rename, the file is never incomplete. Because of the flush, the file is on the disk when this function
  // returns.
  writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

/** Reads a file with JSON. Returns null for a file that cannot be read or does not match the schema. */
export function readStateFile<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Reads the files of a folder whose names begin with a prefix, in the order of their names. Leaves out unreadable files. */
export function readStateFiles<T>(folder: string, prefix: string, schema: z.ZodType<T>): readonly T[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.startsWith(prefix) && name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => readStateFile(join(folder, name), schema) ?? []);
}
