import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toEventSelector, toHex } from 'viem';
import { z } from 'zod';
import { USDC } from '../chain/network.ts';
import type { SandboxChain } from '../chain/open-chain.ts';
import { readDataFile, writeDataFile } from '../data-file.ts';
import { parseJson } from '../json.ts';
import { StartupError } from '../startup-error.ts';

const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]+$/)]);

const promiseSchema = z.object({
  /** Name of the endpoint in the scenario. */
  endpoint: z.string(),
  payer: hexSchema,
  payTo: hexSchema,
  /** Atomic units of the sandbox's dollar, decimal. */
  amount: z.string().regex(/^\d+$/),
  /** Whether the seller paid itself. */
  wash: z.boolean(),
  /** The authorization's; with the payer it names one payment. */
  nonce: hexSchema,
});
const entrySchema = promiseSchema.extend({
  transaction: hexSchema,
  /** Time of its block, ISO 8601. */
  at: z.iso.datetime(),
});
const logsSchema = z.array(z.object({ transactionHash: hexSchema, blockNumber: hexSchema }));
const blockSchema = z.object({ timestamp: z.coerce.number() });

/** A payment that an agent signed and is about to hand over. */
export type PromisedPayment = z.infer<typeof promiseSchema>;
/** A payment that is on the chain. */
export type LedgerEntry = z.infer<typeof entrySchema>;

/** What the agents really paid. */
export interface Ledger {
  /** JSON Lines of {@link LedgerEntry}. */
  readonly file: string;
  /**
   * Writes down what is about to be paid, before anybody else hears of it.
   * @returns the number of the last block that these payments cannot be in
   */
  readonly promise: (payments: readonly PromisedPayment[]) => Promise<number>;
  /** Enters a promised payment if it is on the chain after a block, whatever its seller says. */
  readonly confirm: (payment: PromisedPayment, sinceBlock: number) => Promise<LedgerEntry | null>;
  readonly add: (entries: readonly LedgerEntry[]) => Promise<void>;
  /** How many payments are in it. */
  readonly size: () => number;
}

const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)');

const readLines = async <T>(file: string, schema: z.ZodType<T>): Promise<T[]> => {
  const text = (await readDataFile(file)) ?? '';
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line, index) => {
    const parsed = schema.safeParse(parseJson(line));
    if (parsed.success) return parsed.data;
    throw new StartupError(`line ${index + 1} of ${file} is damaged; remove the folder to make a new world`);
  });
};

const linesOf = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Where on the chain a payment was settled, or null when it never was. */
const settlementOf = async (
  { rpc }: SandboxChain,
  { payer, nonce }: PromisedPayment,
  sinceBlock = 0,
): Promise<Pick<LedgerEntry, 'transaction' | 'at'> | null> => {
  const topics = [AUTHORIZATION_USED, `0x${payer.slice(2).padStart(64, '0')}`, nonce];
  const filter = { address: USDC, fromBlock: toHex(sinceBlock), toBlock: 'latest', topics };
  const [log] = logsSchema.parse(await rpc.call('eth_getLogs', [filter]));
  if (!log) return null;
  const block = blockSchema.parse(await rpc.call('eth_getBlockByNumber', [log.blockNumber, false]));
  return { transaction: log.transactionHash, at: new Date(block.timestamp * 1_000).toISOString() };
};

/** Promises that were kept although the ledger does not know: the process ended in between. */
const forgotten = async (
  chain: SandboxChain,
  promises: readonly PromisedPayment[],
  entries: readonly LedgerEntry[],
): Promise<LedgerEntry[]> => {
  const known = new Set(entries.map(({ payer, nonce }) => payer + nonce));
  const found: LedgerEntry[] = [];
  for (const promise of promises.filter(({ payer, nonce }) => !known.has(payer + nonce))) {
    const settlement = await settlementOf(chain, promise);
    if (settlement) found.push({ ...promise, ...settlement });
  }
  return found;
};

/**
 * Opens the ledger of a data folder, `ledger.jsonl`, and adds what was settled but not entered when the process that
 * kept it was ended.
 * @throws StartupError when it is damaged
 */
export const openLedger = async (dataDir: string, chain: SandboxChain): Promise<Ledger> => {
  const file = join(dataDir, 'ledger.jsonl');
  const promisesFile = join(dataDir, 'promises.jsonl');
  const entries = await readLines(file, entrySchema);
  const missing = await forgotten(chain, await readLines(promisesFile, promiseSchema), entries);
  // Rewritten whole, so that a last line that was cut short does not run into the next one.
  await writeDataFile(file, linesOf([...entries, ...missing]));
  await writeDataFile(promisesFile, '');
  let size = entries.length + missing.length;
  const add: Ledger['add'] = async (added) => {
    await appendFile(file, linesOf(added));
    size += added.length;
  };
  return {
    file,
    promise: async (payments) => {
      const since = chain.head().number;
      await appendFile(promisesFile, linesOf(payments));
      return since;
    },
    confirm: async (payment, sinceBlock) => {
      const settlement = await settlementOf(chain, payment, sinceBlock);
      if (settlement === null) return null;
      const entry = { ...payment, ...settlement };
      await add([entry]);
      return entry;
    },
    add,
    size: () => size,
  };
};
