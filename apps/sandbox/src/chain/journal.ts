import { appendFile, truncate } from 'node:fs/promises';
import { z } from 'zod';
import { readDataFile } from '../data-file.ts';
import { parseJson } from '../json.ts';
import { StartupError } from '../startup-error.ts';

const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)]);

const blockSchema = z.object({
  /** Its time, seconds since 1970; later than that of the block before. */
  at: z.number().int(),
  /** What the chain does in the name of an address that nobody holds a key to. */
  unsigned: z.array(z.object({ from: hexSchema, to: hexSchema, data: hexSchema })),
  /** Signed transactions, serialized. */
  signed: z.array(hexSchema),
});

/** All that went into a block: replayed in order, these make the same chain again, to the last hash. */
export type JournalBlock = z.infer<typeof blockSchema>;

const parsedLine = (file: string, line: string, index: number): JournalBlock => {
  const block = blockSchema.safeParse(parseJson(line));
  if (block.success) return block.data;
  throw new StartupError(`line ${index + 1} of ${file} is no block; remove the folder to make a new world`);
};

/**
 * Reads the blocks of a chain, block 1 first. A last line that was cut short, by a machine that went out while it was
 * written, was never mined and is cut off.
 * @throws StartupError when the file cannot be read or is damaged further up
 */
export const readJournal = async (file: string): Promise<JournalBlock[]> => {
  const text = (await readDataFile(file)) ?? '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await truncate(file, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line, index) => parsedLine(file, line, index));
};

/** Writes a block down, before it is mined: what is on the chain is in the journal, whenever the process ends. */
export const appendToJournal = (file: string, block: JournalBlock): Promise<void> =>
  appendFile(file, `${JSON.stringify(block)}\n`, { mode: 0o600 });
