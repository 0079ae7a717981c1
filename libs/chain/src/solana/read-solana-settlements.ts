import { canonicalUsdc } from '@touchstone/x402';
import { z } from 'zod';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import type { ChainCursor, Settlement, SettlementStep } from '@touchstone/x402';
import type { SettlementQuery } from '../types.ts';
import { readSignatures, type SignatureRange } from './read-signatures.ts';
import { blockTimeSchema, slotSchema, transactionSchema, type Signature } from './schemas.ts';
import { deriveTokenAccount } from './token-account.ts';
import { toSettlements } from './to-settlements.ts';

const MAX_ROWS = 1_000;

async function checkChain(provider: Provider, network: string): Promise<void> {
  // The reference of CAIP-2 is the beginning of the hash of the first block.
  const genesis = await provider.call('getGenesisHash', [], z.string().max(100));
  if (`solana:${genesis.slice(0, 32)}` !== network) throw new RpcFailure('unusable', 'serves another chain');
}

async function timeOf(provider: Provider, slot: number): Promise<number> {
  const seconds = await provider.call('getBlockTime', [slot], blockTimeSchema);
  if (seconds === null) throw new RpcFailure('unusable', `says no time of slot ${slot}`);
  return seconds * 1_000;
}

/** Many providers keep the last days only, and answer for those before as if nothing had happened. */
async function checkHistory(provider: Provider, { from, since }: SignatureRange): Promise<void> {
  const first = await provider.call('getFirstAvailableBlock', [], slotSchema);
  if (first > from && (await timeOf(provider, first)) > since) {
    throw new RpcFailure('unusable', `has forgotten what was before slot ${first}`);
  }
}

async function accountsOf(wallets: readonly string[], mint: string): Promise<Map<string, string>> {
  const byAccount = new Map<string, string>();
  for (const wallet of wallets) {
    const account = await deriveTokenAccount(wallet, mint);
    if (account !== null) byAccount.set(account, wallet);
  }
  return byAccount;
}

/** The oldest signatures, as many as a step may hold, and all of their last slot. */
function oldest(signatures: readonly Signature[], maxRows: number): readonly Signature[] {
  const unique = new Map(signatures.map((entry) => [entry.signature, entry]));
  const ascending = [...unique.values()].sort((a, b) => a.slot - b.slot);
  const last = ascending[maxRows - 1]?.slot ?? Infinity;
  return ascending.filter(({ slot }) => slot <= last);
}

async function readPayments(
  provider: Provider,
  signatures: readonly Signature[],
  place: { readonly network: string; readonly mint: string; readonly wallets: ReadonlyMap<string, string> },
): Promise<Settlement[]> {
  const options = { encoding: 'jsonParsed', commitment: 'finalized', maxSupportedTransactionVersion: 0 };
  const params = signatures.map(({ signature }) => [signature, options]);
  const transactions = await provider.callMany('getTransaction', params, transactionSchema);
  return transactions.flatMap((transaction, index) => {
    const asked = signatures[index];
    const [signature] = transaction?.transaction.signatures ?? [];
    if (transaction === null || signature !== asked?.signature || transaction.slot !== asked?.slot) {
      throw new RpcFailure('unusable', 'does not have a transaction that it listed');
    }
    return transaction.meta.err === null ? toSettlements(transaction, place) : [];
  });
}

/**
 * One step on Solana with one provider; see readSettlements. Slots are read once they are finalized, which nothing takes
 * back, so there are no anchors. Accounts list their transactions from the newest on, so a step looks through all that
 * is new of each wallet and reads the oldest of it.
 */
export async function readSolanaSettlements(
  provider: Provider,
  order: SettlementQuery,
): Promise<SettlementStep> {
  const { network, since, maxRows = MAX_ROWS } = order;
  const mint = canonicalUsdc(network)?.asset;
  if (mint === undefined) throw new TypeError(`no USDC is known on ${network}`);
  await checkChain(provider, network);
  const head = await provider.call('getSlot', [{ commitment: 'finalized' }], slotSchema);
  const cursor: ChainCursor = order.cursor ?? { fromBlock: 0n, nextBlock: 0n, anchors: [], span: 1 };
  const end = order.until === undefined ? head : Math.min(head, Number(order.until));
  const range = { from: Number(cursor.nextBlock), to: end, since };
  if (end < range.from) {
    // The head is never before the last slot that was read.
    if (head + 1 < range.from) throw new RpcFailure('unusable', 'is behind what was read already');
    return { settlements: [], cursor, through: null, caughtUp: true, removedFrom: null };
  }
  await checkHistory(provider, range);
  const wallets = await accountsOf(order.wallets, mint);
  const listed = [...(await readSignatures(provider, [...wallets.keys()], range)).values()].flat();
  const chosen = oldest(listed, maxRows);
  const settlements = await readPayments(provider, chosen, { network, mint, wallets });
  const last = chosen.at(-1);
  const complete = last === undefined || listed.every(({ slot }) => slot <= last.slot);
  const through = complete
    ? { block: BigInt(end), at: await timeOf(provider, end) }
    : { block: BigInt(last.slot), at: (last.blockTime ?? 0) * 1_000 };
  const next = { ...cursor, nextBlock: through.block + 1n };
  return { settlements, cursor: next, through, caughtUp: complete, removedFrom: null };
}
