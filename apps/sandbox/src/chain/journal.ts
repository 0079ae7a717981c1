import { appendFile, truncate } from 'node:fs/promises';
import { z } from 'zod';
import { readDataFile } from '../data-folder/data-file.ts';
import { parseJson } from '../parsing/json.ts';
import { StartupError } from '../startup-error.ts';

const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)]);

const blockSchema = z.object({
  /** Time of the block, in seconds since 1970; at least that of the previous block. */
  at: z.number().int(),
  /** Transactions from addresses without a known key. The node sends them by impersonation. */
  unsigned: z.array(z.object({ from: hexSchema, to: hexSchema, data: hexSchema })),
  /** Signed transactions, serialised. */
  signed: z.array(hexSchema),
});

/** Contents of a block. Replaying all blocks in order recreates the same chain, including its hashes. */
export type JournalBlock = z.infer<typeof blockSchema>;

const parseLine = (file: string, line: string, index: number): JournalBlock => {
  const block = blockSchema.safeParse(parseJson(line));
  if (block.success) return block.data;
  throw new StartupError(
    `line ${index + 1} of ${file} is not a block; remove its folder to start a new simulation`,
  );
};

/**
 * Reads the blocks of a chain, starting with block 1. An incomplete last line is removed: it was interrupted while it was
 * written, so its block was never mined.
 * @throws StartupError when the file cannot be read, or another line is damaged
 */
export const readJournal = async (file: string): Promise<JournalBlock[]> => {
  const text = (await readDataFile(file)) ?? '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await truncate(file, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line, index) => parseLine(file, line, index));
};

/** Appends a block before it is mined, so that every mined block is in the journal even after a crash. */
export const appendToJournal = (file: string, block: JournalBlock): Promise<void> =>
  appendFile(file, `${JSON.stringify(block)}\n`, { mode: 0o600 });
