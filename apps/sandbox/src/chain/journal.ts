import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { appendToDataFile, readDataLines, writeDataFile } from '../data-folder/data-file.ts';
import { hexSchema } from '../parsing.ts';
import type { Rpc } from './rpc.ts';

const blockSchema = z.object({
  /** Time of the block, in seconds since 1970. It is equal to or later than the time of the previous block. */
  at: z.number().int(),
  /**
   * Transactions from addresses whose private key is unknown. The node executes them without a signature
   * (impersonation).
   */
  unsigned: z.array(z.object({ from: hexSchema, to: hexSchema, data: hexSchema })),
  /** Signed transactions in serialised form. */
  signed: z.array(hexSchema),
});

/**
 * Contents of a block. If all blocks are mined again in the same order, the result is the same chain with the same
 * block hashes.
 */
export type JournalBlock = z.infer<typeof blockSchema>;

/**
 * Reads the journal of a chain: one block per line, starting with block 1. An incomplete last line is removed, because
 * its block was not mined.
 * @throws StartupError when the journal cannot be read or is damaged
 */
export function readJournal(file: string): Promise<JournalBlock[]> {
  return readDataLines(file, blockSchema);
}

/**
 * Appends a block to the journal. Call `appendToJournal` before the block is mined, so that every mined block is in the
 * journal even after a crash.
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

/**
 * Saves the state of the chain to a file (the checkpoint). The next start then replays only the later blocks of the
 * journal.
 */
export async function saveCheckpoint(rpc: Rpc, file: string): Promise<void> {
  const dump = dumpSchema.parse(await rpc.call('anvil_dumpState'));
  const text = await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'));
  await writeDataFile(file, text.toString('utf8'));
}
