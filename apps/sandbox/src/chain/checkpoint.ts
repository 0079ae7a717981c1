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

export const readHead = async (rpc: Rpc): Promise<Head> => {
  const { number, timestamp } = headSchema.parse(await rpc.call('eth_getBlockByNumber', ['latest', false]));
  return { number, at: timestamp };
};

/** Saves the state of a chain, so that the next start does not replay the whole journal. */
export const saveCheckpoint = async (rpc: Rpc, file: string): Promise<void> => {
  const dump = dumpSchema.parse(await rpc.call('anvil_dumpState'));
  const text = await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'));
  await writeDataFile(file, text.toString('utf8'));
};

/** Returns true when the chain up to `head` matches the journal. */
export const matchesJournal = ({ number, at }: Head, journal: readonly JournalBlock[]): boolean =>
  number > 0 && journal[number - 1]?.at === at;

export const deleteCheckpoint = (file: string): Promise<void> => rm(file, { force: true });
