import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseJson } from './json.ts';
import { reasonOf, StartupError } from './startup-error.ts';

/** The item as JSON text, without the member in which the recorder noted where it was found. */
const itemText = (file: string, line: string, number: number): string => {
  const parsed = z.record(z.string(), z.unknown()).safeParse(parseJson(line));
  if (!parsed.success)
    throw new StartupError(`SANDBOX_LISTINGS: ${file} line ${number} is not a JSON object`);
  const members = Object.entries(parsed.data).filter(([name]) => name !== 'source');
  return JSON.stringify(Object.fromEntries(members));
};

/**
 * Reads recorded directory items from a file of JSON Lines.
 * @returns each item as JSON text
 * @throws StartupError naming the file, and the line when one is not a JSON object
 */
export const readRecordedListings = async (file: string): Promise<string[]> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new StartupError(`SANDBOX_LISTINGS: cannot read ${file}: ${reasonOf(error)}`);
  }
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [itemText(file, line, index + 1)]));
};
