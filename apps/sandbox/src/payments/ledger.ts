import { join } from 'node:path';
import { toEventSelector, toHex } from 'viem';
import { z } from 'zod';
import type { SandboxChain } from '../chain/open-chain.ts';
import { appendToDataFile, readDataLines, writeDataFile } from '../data-folder/data-file.ts';
import { hexSchema } from '../parsing.ts';

const pendingSchema = z.object({
  /** CAIP-2 id of the network. */
  network: z.string(),
  /** Name of the endpoint in the scenario. */
  endpoint: z.string(),
  payer: hexSchema,
  payTo: hexSchema,
  /** Amount in atomic units of the token, as decimal digits. */
  amount: z.string().regex(/^\d+$/),
  /** True for wash trading, when the payer is a wallet of the seller. */
  wash: z.boolean(),
  /** Nonce of the EIP-3009 authorization. Payer and nonce together identify a payment. */
  nonce: hexSchema,
});
const entrySchema = pendingSchema.extend({
  transaction: hexSchema,
  /** Time of the block, ISO 8601. */
  at: z.iso.datetime(),
});
const logsSchema = z.array(z.object({ transactionHash: hexSchema, blockNumber: hexSchema }));
const blockSchema = z.object({ timestamp: z.coerce.number() });

/** A payment that an agent has signed and is about to send. */
export type PendingPayment = z.infer<typeof pendingSchema>;
/** A settled payment. */
export type LedgerEntry = z.infer<typeof entrySchema>;

/** Record of the agents' settled payments. */
export interface Ledger {
  /** Path of the file with one {@link LedgerEntry} per line (JSON Lines). */
  readonly file: string;
  /** Records payments as pending before they are sent. */
  readonly recordPending: (payments: readonly PendingPayment[]) => Promise<void>;
  /**
   * Adds a pending payment to the ledger if its settlement is on the chain. Returns null if there is no settlement. The
   * response of the seller does not matter.
   * @param search chain of the payment's network, and number of the first block that can contain the settlement
   */
  readonly confirm: (
    payment: PendingPayment,
    search: { readonly chain: SandboxChain; readonly sinceBlock: number },
  ) => Promise<LedgerEntry | null>;
  readonly add: (entries: readonly LedgerEntry[]) => Promise<void>;
  /** Returns the number of entries. */
  readonly size: () => number;
}

const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)');

function toLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Finds the transaction that settled a payment. Returns null when the payment was not settled. */
async function findSettlement(
  { rpc, network }: SandboxChain,
  { payer, nonce }: PendingPayment,
  sinceBlock = 0,
): Promise<Pick<LedgerEntry, 'transaction' | 'at'> | null> {
  const topics = [AUTHORIZATION_USED, `0x${payer.slice(2).padStart(64, '0')}`, nonce];
  const filter = { address: network.usdc, fromBlock: toHex(sinceBlock), toBlock: 'latest', topics };
  const [log] = logsSchema.parse(await rpc.call('eth_getLogs', [filter]));
  if (!log) return null;
  const block = blockSchema.parse(await rpc.call('eth_getBlockByNumber', [log.blockNumber, false]));
  return { transaction: log.transactionHash, at: new Date(block.timestamp * 1_000).toISOString() };
}

/**
 * Finds pending payments that are settled on the chain but missing in the ledger. This happens when the process exits
 * between the settlement and the ledger entry.
 */
async function findMissingEntries(
  chains: readonly SandboxChain[],
  pending: readonly PendingPayment[],
  entries: readonly LedgerEntry[],
): Promise<LedgerEntry[]> {
  const known = new Set(entries.map(({ payer, nonce }) => payer + nonce));
  const found: LedgerEntry[] = [];
  for (const payment of pending.filter(({ payer, nonce }) => !known.has(payer + nonce))) {
    const chain = chains.find(({ network }) => network.id === payment.network);
    const settlement = chain && (await findSettlement(chain, payment));
    if (settlement) found.push({ ...payment, ...settlement });
  }
  return found;
}

/**
 * Opens the ledger of a data folder, `ledger.jsonl`. Adds payments that were settled before the last exit of the
 * process but are missing in the ledger.
 * @throws StartupError when a file is damaged
 */
export async function openLedger(dataDir: string, chains: readonly SandboxChain[]): Promise<Ledger> {
  const file = join(dataDir, 'ledger.jsonl');
  const pendingFile = join(dataDir, 'promises.jsonl');
  const entries = await readDataLines(file, entrySchema);
  const missing = await findMissingEntries(chains, await readDataLines(pendingFile, pendingSchema), entries);
  // The whole file is rewritten, because its last line can be incomplete after a crash.
  await writeDataFile(file, toLines([...entries, ...missing]));
  await writeDataFile(pendingFile, '');
  let size = entries.length + missing.length;
  const add: Ledger['add'] = async (added) => {
    await appendToDataFile(file, toLines(added));
    size += added.length;
  };
  return {
    file,
    recordPending: (payments) => appendToDataFile(pendingFile, toLines(payments)),
    confirm: async (payment, { chain, sinceBlock }) => {
      const settlement = await findSettlement(chain, payment, sinceBlock);
      if (settlement === null) return null;
      const entry = { ...payment, ...settlement };
      await add([entry]);
      return entry;
    },
    add,
    size: () => size,
  };
}
