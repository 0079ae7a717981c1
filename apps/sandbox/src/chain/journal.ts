import { truncate } from 'node:fs/promises';
import { z } from 'zod';
import { appendToDataFile, readDataFile } from '../data-folder/data-file.ts';
import { parseJson } from '../parsing/json.ts';
import { StartupError } from '../startup-error.ts';

const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)]);

const blockSchema = z.object({
  /** Time of the block, in seconds since 1970; never before the time of the previous block. */
  at: z.number().int(),
  /**
   * Transactions from addresses whose private key is unknown. The node executes them without a signature
   * (impersonation).
   */
  unsigned: z.array(z.object({ from: hexSchema, to: hexSchema, data: hexSchema })),
  /** Signed transactions in serialised form. */
  signed: z.array(hexSchema),
});

/** Contents of a block. Replaying all blocks in order creates the same chain again, with the same block hashes. */
export type JournalBlock = z.infer<typeof blockSchema>;

function parseLine(file: string, line: string, index: number): JournalBlock {
  const block = blockSchema.safeParse(parseJson(line));
  if (block.success) return block.data;
  throw new StartupError(
    `line ${index + 1} of ${file} is not a block; remove its folder to start a new simulation`,
  );
}

/**
 * Reads the journal of a chain: one block per line, starting with block 1. Removes an incomplete last line. The process
 * exited while it wrote this line, so the block was not mined.
 * @throws StartupError when the file cannot be read, or when any other line is damaged
 */
export async function readJournal(file: string): Promise<JournalBlock[]> {
  const text = (await readDataFile(file)) ?? '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await truncate(file, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line, index) => parseLine(file, line, index));
}

/**
 * Appends a block to the journal. Call this before the block is mined, so that every mined block is in the journal even
 * after a crash.
 */
export function appendToJournal(file: string, block: JournalBlock): Promise<void> {
  return appendToDataFile(file, `${JSON.stringify(block)}\n`);
}
