import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { writeDataFile } from '../data-folder/data-file.ts';
import type { JournalBlock } from './journal.ts';
import type { Rpc } from './rpc.ts';

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
