import { open, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { parseJson } from '@touchstone/common';
import type { z } from 'zod';
import { StartupError, toErrorMessage } from '../startup-error.ts';

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * Reads a file of the data folder.
 * @returns text of the file, or null when the file does not exist
 * @throws StartupError when the file exists but cannot be read
 */
export async function readDataFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw new StartupError(`cannot read ${path}: ${toErrorMessage(error)}`);
  }
}

/**
 * Reads a JSON Lines file of the data folder. Removes an incomplete last line. Such a line remains when the process
 * exits during a write.
 * @returns the values of all lines; an empty list when the file does not exist
 * @throws StartupError when the file cannot be read, or when any other line is damaged
 */
export async function readDataLines<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
  const text = (await readDataFile(path)) ?? '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole));
  const lines = whole.split('\n').slice(0, -1);
  return lines.map((line, index) => {
    const parsed = schema.safeParse(parseJson(line));
    if (parsed.success) return parsed.data;
    throw new StartupError(
      `line ${index + 1} of ${path} is damaged; remove its folder to start a new simulation`,
    );
  });
}

/**
 * Writes a file of the data folder atomically. After a crash, the file has either the complete old text or the complete
 * new text.
 * @param mode file permissions; 0600 for secrets
 * @throws StartupError when the file cannot be written
 */
export async function writeDataFile(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  try {
    await writeFile(draft, text, { mode });
    await rename(draft, path);
  } catch (error) {
    throw new StartupError(`cannot write ${path}: ${toErrorMessage(error)}`);
  }
}

/**
 * Appends complete lines to a file of the data folder. When the write fails, for example because the disk is full, the
 * written part is removed, because a part of a line would damage the lines after it.
 * @throws StartupError when the file cannot be written
 */
export async function appendToDataFile(path: string, lines: string): Promise<void> {
  try {
    const file = await open(path, 'a', 0o600);
    try {
      const { size } = await file.stat();
      await file.writeFile(lines).catch(async (error: unknown) => {
        await file.truncate(size);
        throw error;
      });
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new StartupError(`cannot write ${path}: ${toErrorMessage(error)}`);
  }
}
