import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseJson } from '../parsing/json.ts';
import { StartupError, toErrorMessage } from '../startup-error.ts';

/**
 * Converts a line of the file to a directory item as JSON text. The member `source` is removed, because it only
 * documents the recording. A line that is not a JSON object becomes a JSON string, so that clients of the directory
 * also receive malformed items.
 */
function toItemText(line: string): string {
  const parsed = z.record(z.string(), z.unknown()).safeParse(parseJson(line));
  if (!parsed.success) return JSON.stringify(line.toWellFormed());
  const members = Object.entries(parsed.data).filter(([name]) => name !== 'source');
  return JSON.stringify(Object.fromEntries(members));
}

/**
 * Reads recorded directory items from a file of JSON Lines.
 * @returns each item as JSON text
 * @throws StartupError when the file cannot be read
 */
export async function readRecordedListings(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new StartupError(`SANDBOX_LISTINGS: cannot read ${file}: ${toErrorMessage(error)}`);
  }
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [toItemText(line)]));
}
