import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { writeDataFile } from '../data-file.ts';
import type { JournalBlock } from './journal.ts';
import type { Rpc } from './rpc.ts';

const dumpSchema = z.string().startsWith('0x');
const headSchema = z.object({ number: z.coerce.number().int(), timestamp: z.coerce.number().int() });

/** Where a chain has got to: how many blocks there are after the first, and the time of the last one. */
export interface Head {
  readonly number: number;
  /** Seconds since 1970. */
  readonly at: number;
}

export const readHead = async (rpc: Rpc): Promise<Head> => {
  const { number, timestamp } = headSchema.parse(await rpc.call('eth_getBlockByNumber', ['latest', false]));
  return { number, at: timestamp };
};

/** Keeps a chain's state, so that the next start need not replay all of its blocks. */
export const saveCheckpoint = async (rpc: Rpc, file: string): Promise<void> => {
  const dump = dumpSchema.parse(await rpc.call('anvil_dumpState'));
  const text = await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'));
  await writeDataFile(file, text.toString('utf8'));
};

/** Whether a chain is the beginning of the one in the journal. */
export const belongsTo = ({ number, at }: Head, journal: readonly JournalBlock[]): boolean =>
  number > 0 && journal[number - 1]?.at === at;

export const dropCheckpoint = (file: string): Promise<void> => rm(file, { force: true });
