import { address, getAddressEncoder, getProgramDerivedAddress, isAddress } from '@solana/addresses';
import {
  findCanonicalUsdc,
  findFacilitator,
  OTHER_FACILITATOR,
  type ChainCursor,
  type Settlement,
  type SettlementStep,
} from '@touchstone/x402';
import { z } from 'zod';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import type { SettlementQuery } from '../types.ts';
import {
  readSignatures,
  type SlotRange,
  blockTimeSchema,
  slotSchema,
  transactionSchema,
  type Signature,
  type Transaction,
} from './read-signatures.ts';

type Balance = NonNullable<Transaction['meta']['preTokenBalances']>[number];

interface BalanceChange {
  readonly owner: string | undefined;
  readonly change: bigint;
}

/**
 * Computes the balance changes that a transaction made in the token accounts of a mint. Keys are the account indexes
 * within the transaction.
 */
export function computeChanges({ meta }: Transaction, mint: string): Map<number, BalanceChange> {
  const changes = new Map<number, BalanceChange>();
  const add = (balances: readonly Balance[] | null | undefined, sign: bigint): void => {
    for (const { accountIndex, mint: balanceMint, owner, uiTokenAmount } of balances ?? []) {
      if (balanceMint !== mint) continue;
      const before = changes.get(accountIndex);
      const change = (before?.change ?? 0n) + sign * BigInt(uiTokenAmount.amount);
      changes.set(accountIndex, { owner: owner ?? before?.owner, change });
    }
  };
  add(meta.preTokenBalances, -1n);
  add(meta.postTokenBalances, 1n);
  return changes;
}

/**
 * Finds the owner whose balance decreased most. Returns null when no balance decreased, for example for newly minted
 * tokens.
 */
export function findPayer(changes: ReadonlyMap<number, BalanceChange>): string | null {
  let payer: string | null = null;
  let lowest = 0n;
  for (const { owner, change } of changes.values()) {
    if (change >= lowest || owner === undefined) continue;
    lowest = change;
    payer = owner;
  }
  return payer;
}

/** The network, the token (mint) and the wallets whose payments are read. */
interface WatchedToken {
  readonly network: string;
  readonly mint: string;
  /** Map from token account to wallet. */
  readonly wallets: ReadonlyMap<string, string>;
}

/** Finds the wallet that sent all tokens of a transaction; null when several balances decreased, or an unread one. */
function findSender(
  changes: ReadonlyMap<number, BalanceChange>,
  toWallet: (index: number) => string | undefined,
): string | null {
  const decreased = [...changes].filter(([, { change }]) => change < 0n).map(([index]) => index);
  return decreased.length === 1 ? (toWallet(decreased[0] ?? -1) ?? null) : null;
}

/**
 * Returns the payments of a transaction to the wallets, one settlement for each receiving token account, and the
 * transfers from a wallet. Solana has no authorization log, so a payment counts as x402 when a known facilitator paid
 * the fee for another payer. A transaction with several senders has no `sent` settlement, because the receivers of each
 * sender are unknown.
 */
function toSettlements(transaction: Transaction, { network, mint, wallets }: WatchedToken): Settlement[] {
  const { slot, blockTime } = transaction;
  const { accountKeys } = transaction.transaction.message;
  const [signature] = transaction.transaction.signatures;
  const feePayer = accountKeys[0]?.pubkey;
  if (signature === undefined || feePayer === undefined || blockTime === null) {
    throw new RpcFailure('unusable', 'sent a transaction without time, signature or fee payer');
  }
  const changes = computeChanges(transaction, mint);
  const payer = findPayer(changes) ?? feePayer;
  const known = feePayer === payer ? null : findFacilitator(network, feePayer);
  const toWallet = (index: number) => wallets.get(accountKeys[index]?.pubkey ?? '');
  const sender = findSender(changes, toWallet);
  return [...changes].flatMap(([index, { owner, change }]): Settlement[] => {
    if (change <= 0n) return [];
    const facts = {
      ...{ transaction: signature, logIndex: index, blockNumber: BigInt(slot), blockHash: null },
      ...{ at: blockTime * 1_000, asset: mint, amount: change },
    };
    const payTo = toWallet(index);
    const received: Settlement[] =
      payTo === undefined
        ? []
        : [
            {
              ...facts,
              ...{ payer, payTo, kind: known === null ? 'transfer' : 'x402' },
              facilitator: feePayer === payer ? null : (known ?? OTHER_FACILITATOR),
            },
          ];
    const receiver = payTo ?? owner;
    if (sender === null || receiver === undefined) return received;
    return [...received, { ...facts, payer: sender, payTo: receiver, kind: 'sent', facilitator: null }];
  });
}

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ASSOCIATED_TOKEN_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

/**
 * Derives the associated token account of a wallet. A Solana wallet holds each token in a separate account, and
 * payments of the x402 scheme `exact` go to this account. Source: the Associated Token Account program.
 *
 * @returns the address of the account, or null when the wallet is not a Solana address
 */
export async function deriveTokenAccount(wallet: string, mint: string): Promise<string | null> {
  if (!isAddress(wallet)) return null;
  const encoder = getAddressEncoder();
  const [account] = await getProgramDerivedAddress({
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    seeds: [wallet, TOKEN_PROGRAM, address(mint)].map((part) => encoder.encode(part)),
  });
  return account;
}

/** Default maximum number of settlements in one reading step. */
const DEFAULT_MAX_ROWS = 1_000;

/** @throws RpcFailure when the provider serves another network */
export async function checkGenesis(provider: Provider, network: string): Promise<void> {
  // A CAIP-2 id of Solana is `solana:` and the first 32 characters of the genesis hash.
  const genesis = await provider.call('getGenesisHash', [], z.string().max(100));
  if (`solana:${genesis.slice(0, 32)}` !== network) throw new RpcFailure('unusable', 'serves another chain');
}

async function readSlotTime(provider: Provider, slot: number): Promise<number> {
  const seconds = await provider.call('getBlockTime', [slot], blockTimeSchema);
  if (seconds === null) throw new RpcFailure('unusable', `does not have the time of slot ${slot}`);
  return seconds * 1_000;
}

/**
 * Checks that the provider has the transactions of the whole range. Many providers keep only the last days, and return
 * an empty list for earlier slots.
 */
async function checkHistory(provider: Provider, { from, since }: SlotRange): Promise<void> {
  const first = await provider.call('getFirstAvailableBlock', [], slotSchema);
  if (first > from && (await readSlotTime(provider, first)) > since) {
    throw new RpcFailure('unusable', `has no history before slot ${first}`);
  }
}

/** Returns a map from token account to wallet. Wallets that are not Solana addresses are left out. */
async function deriveTokenAccounts(wallets: readonly string[], mint: string): Promise<Map<string, string>> {
  const byAccount = new Map<string, string>();
  for (const wallet of wallets) {
    const account = await deriveTokenAccount(wallet, mint);
    if (account !== null) byAccount.set(account, wallet);
  }
  return byAccount;
}

/** Selects the oldest `maxRows` signatures, and any further signatures in the slot of the last selected signature. */
function selectOldest(signatures: readonly Signature[], maxRows: number): readonly Signature[] {
  const unique = new Map(signatures.map((entry) => [entry.signature, entry]));
  const ascending = [...unique.values()].sort((a, b) => a.slot - b.slot);
  const last = ascending[maxRows - 1]?.slot ?? Infinity;
  return ascending.filter(({ slot }) => slot <= last);
}

/** Options of `getTransaction` for a finalized transaction. */
export const TRANSACTION_OPTIONS = {
  encoding: 'jsonParsed',
  commitment: 'finalized',
  maxSupportedTransactionVersion: 0,
};

async function readPayments(
  provider: Provider,
  signatures: readonly Signature[],
  place: WatchedToken,
): Promise<Settlement[]> {
  const params = signatures.map(({ signature }) => [signature, TRANSACTION_OPTIONS]);
  const transactions = await provider.callMany('getTransaction', params, transactionSchema);
  return transactions.flatMap((transaction, index) => {
    const requested = signatures[index];
    const [signature] = transaction?.transaction.signatures ?? [];
    if (transaction === null || signature !== requested?.signature || transaction.slot !== requested?.slot) {
      throw new RpcFailure('unusable', 'does not have a transaction that it listed');
    }
    return transaction.meta.err === null ? toSettlements(transaction, place) : [];
  });
}

/**
 * Reads one step of Solana from one provider; see `readSettlements`. Only finalized slots are read. Finalized slots are
 * never replaced, so no anchors are kept to detect reorgs.
 *
 * Nodes list the transactions of an account newest first. So a step lists all new transactions of each wallet, and then
 * reads the oldest of them.
 */
export async function readSolanaSettlements(
  provider: Provider,
  query: SettlementQuery,
): Promise<SettlementStep> {
  const { network, since, maxRows = DEFAULT_MAX_ROWS } = query;
  const mint = findCanonicalUsdc(network)?.asset;
  if (mint === undefined) throw new TypeError(`The canonical USDC of ${network} is unknown.`);
  await checkGenesis(provider, network);
  const head = await provider.call('getSlot', [{ commitment: 'finalized' }], slotSchema);
  const cursor: ChainCursor = query.cursor ?? { fromBlock: 0n, nextBlock: 0n, anchors: [], span: 1 };
  const end = query.until === undefined ? head : Math.min(head, Number(query.until));
  const range = { from: Number(cursor.nextBlock), to: end, since };
  if (end < range.from) {
    // The provider lags when its last slot is before the last slot that was read.
    if (head + 1 < range.from) throw new RpcFailure('unusable', 'is behind the slots that were read before');
    return { settlements: [], cursor, through: null, caughtUp: true, removedFrom: null };
  }
  await checkHistory(provider, range);
  const wallets = await deriveTokenAccounts(query.wallets, mint);
  const listed = [...(await readSignatures(provider, [...wallets.keys()], range)).values()].flat();
  const selected = selectOldest(listed, maxRows);
  const settlements = await readPayments(provider, selected, { network, mint, wallets });
  const last = selected.at(-1);
  const isComplete = last === undefined || listed.every(({ slot }) => slot <= last.slot);
  const through = isComplete
    ? { block: BigInt(end), at: await readSlotTime(provider, end) }
    : { block: BigInt(last.slot), at: (last.blockTime ?? 0) * 1_000 };
  const next = { ...cursor, nextBlock: through.block + 1n };
  return { settlements, cursor: next, through, caughtUp: isComplete, removedFrom: null };
}
