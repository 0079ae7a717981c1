import { truncate, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { appendToDataFile, readDataFile, writeDataFile } from '../data-folder/data-file.ts';
import { parseJson } from '../parsing.ts';
import { StartupError } from '../startup-error.ts';
import type { Rpc } from './rpc.ts';

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

const dumpSchema = z.string().startsWith('0x');
const headSchema = z.object({ number: z.coerce.number().int(), timestamp: z.coerce.number().int() });

/** Number and time of the latest block. */
export interface Head {
  /** Block number; the genesis block is 0. */
  readonly number: number;
  /** Seconds since 1970. */
  readonly at: number;
}

export async function readHead(rpc: Rpc): Promise<Head> {
  const { number, timestamp } = headSchema.parse(await rpc.call('eth_getBlockByNumber', ['latest', false]));
  return { number, at: timestamp };
}

/** Saves the state of the chain to a file, so that the next start replays only the later blocks of the journal. */
export async function saveCheckpoint(rpc: Rpc, file: string): Promise<void> {
  const dump = dumpSchema.parse(await rpc.call('anvil_dumpState'));
  const text = await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'));
  await writeDataFile(file, text.toString('utf8'));
}

/**
 * Returns true when the journal contains the latest block of a restored chain: a block with this number and this time.
 */
export function matchesJournal({ number, at }: Head, journal: readonly JournalBlock[]): boolean {
  return number > 0 && journal[number - 1]?.at === at;
}

export function deleteCheckpoint(file: string): Promise<void> {
  return rm(file, { force: true });
}
