import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseJson } from './json.ts';
import { reasonOf, StartupError } from './startup-error.ts';

/**
 * The item as JSON text, without the member in which the recorder noted where it was found. A line that is no JSON
 * object is served as the text that it is: whoever reads the directory has to say what is wrong with it.
 */
const itemText = (line: string): string => {
  const parsed = z.record(z.string(), z.unknown()).safeParse(parseJson(line));
  if (!parsed.success) return JSON.stringify(line.toWellFormed());
  const members = Object.entries(parsed.data).filter(([name]) => name !== 'source');
  return JSON.stringify(Object.fromEntries(members));
};

/**
 * Reads recorded directory items from a file of JSON Lines.
 * @returns each item as JSON text
 * @throws StartupError naming the file when it cannot be read
 */
export const readRecordedListings = async (file: string): Promise<string[]> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new StartupError(`SANDBOX_LISTINGS: cannot read ${file}: ${reasonOf(error)}`);
  }
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [itemText(line)]));
};
