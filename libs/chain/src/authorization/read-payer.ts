import { encodeFunctionData, numberToHex, pad, parseAbi, toEventSelector, type Hex } from 'viem';
import { z } from 'zod';
import { findFirstBlockSince, readHeader } from '../evm/blocks.ts';
import {
  AUTHORIZATION_TOPIC,
  toAddress,
  TRANSFER_TOPIC,
  quantitySchema,
  receiptSchema,
  wordSchema,
  type Log,
} from '../evm/logs.ts';
import { readLogs } from '../evm/read-logs.ts';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import type { Providers } from '../rpc/providers.ts';

const TOKEN = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'function balanceOf(address account) view returns (uint256)',
]);
const CANCELED_TOPIC = toEventSelector(TOKEN[1]);
const ZERO = `0x${'0'.repeat(64)}`;

/**
 * A transfer that its payer authorized (EIP-3009), and the start time of the search on the chain. Addresses and the
 * nonce are lower case.
 */
export interface AuthorizationQuery {
  readonly asset: Hex;
  readonly payer: Hex;
  /** 32 bytes. */
  readonly nonce: Hex;
  readonly payTo: Hex;
  /** Atomic units. */
  readonly amount: bigint;
  /**
   * Start of the search, in milliseconds since the epoch; not later than the first possible use of the authorization,
   * unless `mayBeUsedBefore` is true. Null: the use is not searched, so each used nonce has the state `used-before`.
   */
  readonly since: number | null;
  /** True if the nonce may have been used before `since`. By default, a used nonce without a log is a failure. */
  readonly mayBeUsedBefore?: boolean;
  /** True if `paid` needs a second provider as well, because the state accuses the receiver. */
  readonly needsAgreement?: boolean;
  /** Maximum number of blocks in one `eth_getLogs` call; 9,000 by default. */
  readonly maxSpan?: number;
}

/**
 * State of an EIP-3009 authorization on the chain.
 *
 * - `unused`: the authorization was not used up to the last block. `headAt` is the time of that block, in milliseconds.
 * - `canceled`: the payer canceled the authorization.
 * - `paid`: the nonce of the authorization was used for exactly the requested transfer, in `block`, which `confirmations`
 *   blocks follow.
 * - `paid-otherwise`: the nonce was used for a transfer of another amount to the requested wallet.
 * - `used-otherwise`: the nonce was used for another transfer.
 * - `used-before`: the nonce was used before the start of the search, or its use was not searched.
 */
export type AuthorizationState =
  | { readonly state: 'unused'; readonly headAt: number }
  | { readonly state: 'canceled' | 'used-before' }
  | {
      readonly state: 'paid';
      readonly transaction: Hex;
      readonly block: number;
      readonly confirmations: number;
    }
  | { readonly state: 'paid-otherwise' | 'used-otherwise'; readonly transaction: Hex };

/**
 * Returns true when the nonce is used at the end of block `head`. The call sends a block number instead of `latest`,
 * because nodes behind one URL may have different last blocks.
 */
async function isUsed(
  provider: Provider,
  { asset, payer, nonce }: AuthorizationQuery,
  head: bigint,
): Promise<boolean> {
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'authorizationState', args: [payer, nonce] });
  return (await provider.call('eth_call', [{ to: asset, data }, numberToHex(head)], wordSchema)) !== ZERO;
}

/**
 * Finds the log of a used nonce. Exactly one such log exists, because a token accepts each nonce once: for a transfer
 * or for a cancellation. Returns null if the query allows an earlier use, or does not search.
 */
async function findNonceLog(
  provider: Provider,
  query: AuthorizationQuery,
  head: bigint,
): Promise<Log | null> {
  if (query.since === null) return null;
  const span = BigInt(query.maxSpan ?? 9_000);
  const authorizerAndNonce = [[pad(query.payer, { size: 32 })], [query.nonce]] as const;
  const first = await findFirstBlockSince(provider, query.since, head);
  // Most nonces were used a short time ago, so the last blocks are searched first.
  for (let to = head; to >= first; to -= span) {
    const from = to - span + 1n;
    const range = { from: from > first ? from : first, to };
    for (const event of [AUTHORIZATION_TOPIC, CANCELED_TOPIC]) {
      const filter = { address: query.asset, topics: [event, ...authorizerAndNonce] } as const;
      const [log] = (await readLogs(provider, filter, range)).logs;
      if (log !== undefined) return log;
    }
  }
  if (query.mayBeUsedBefore === true) return null;
  throw new RpcFailure('unusable', 'does not have the log of an authorization that was used');
}

function compareTransfer(
  log: Log | undefined,
  { asset, payer, payTo, amount }: AuthorizationQuery,
): 'paid' | 'paid-otherwise' | 'used-otherwise' {
  const [topic, from, to] = log?.topics ?? [];
  if (log?.address !== asset || topic !== TRANSFER_TOPIC || from === undefined || to === undefined)
    return 'used-otherwise';
  if (toAddress(from) !== payer || toAddress(to) !== payTo) return 'used-otherwise';
  return log.data === numberToHex(amount, { size: 32 }) ? 'paid' : 'paid-otherwise';
}

/**
 * Returns the state of a used nonce: `canceled`, or the comparison of the requested transfer with the next log in the
 * receipt. USDC writes the transfer right after the use of its authorization (FiatTokenV2,
 * `_transferWithAuthorization`).
 */
async function readUsedState(
  provider: Provider,
  query: AuthorizationQuery,
  { log, head }: { readonly log: Log; readonly head: bigint },
): Promise<AuthorizationState> {
  if (log.topics[0] === CANCELED_TOPIC) return { state: 'canceled' };
  const transaction = log.transactionHash;
  const receipt = await provider.call('eth_getTransactionReceipt', [transaction], receiptSchema);
  if (receipt === null)
    throw new RpcFailure('unusable', 'lacks a receipt, although it sent logs of the transaction');
  const usedAt = receipt.logs.findIndex(({ address, topics }) => {
    const [event, payer, nonce] = topics;
    return (
      address === query.asset &&
      event === AUTHORIZATION_TOPIC &&
      payer === log.topics[1] &&
      nonce === query.nonce
    );
  });
  const next = usedAt < 0 ? undefined : receipt.logs[usedAt + 1];
  const state = compareTransfer(next, query);
  if (state !== 'paid') return { state, transaction };
  const { blockNumber } = log;
  return { state, transaction, block: Number(blockNumber), confirmations: Number(head - blockNumber) };
}

async function readFromProvider(provider: Provider, query: AuthorizationQuery): Promise<AuthorizationState> {
  const head = await provider.call('eth_blockNumber', [], quantitySchema);
  if (await isUsed(provider, query, head)) {
    const log = await findNonceLog(provider, query, head);
    return log === null ? { state: 'used-before' } : readUsedState(provider, query, { log, head });
  }
  return { state: 'unused', headAt: (await readHeader(provider, head)).timestamp * 1_000 };
}

/** Reads the state of the authorization from the first provider that responds; null when no provider responds. */
async function readFromOthers(
  others: readonly Provider[],
  query: AuthorizationQuery,
): Promise<AuthorizationState | null> {
  for (const other of others) {
    try {
      return await readFromProvider(other, query);
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
    }
  }
  return null;
}

/**
 * Returns true for a state that is believed of one provider. If `paid` is false, a payer of this service gets a result for
 * free, and reconciliation finds it; a query whose `paid` accuses a receiver sets `needsAgreement`. `used-before` says
 * nothing about the money.
 */
const isHarmless = ({ state }: AuthorizationState, { needsAgreement = false }: AuthorizationQuery): boolean =>
  state === 'used-before' || (state === 'paid' && !needsAgreement);

/** State that proves nothing: the authorization may have been used after the time 0. */
const UNKNOWN: AuthorizationState = { state: 'unused', headAt: 0 };

/** Returns the common state of two providers. */
function combine(first: AuthorizationState, second: AuthorizationState): AuthorizationState {
  if (first.state === 'unused' && second.state === 'unused')
    return { state: 'unused', headAt: Math.min(first.headAt, second.headAt) };
  // One of the providers may be a block behind. As a failure, this would pause both providers for all queries.
  if (first.state !== second.state) return UNKNOWN;
  if (first.state !== 'paid' || second.state !== 'paid') return first;
  return first.transaction === second.transaction && first.block === second.block ? first : UNKNOWN;
}

/**
 * Reads the state of an authorization from the chain. Only the chain has this state, because anyone who holds the
 * authorization can use it, and the payer can cancel it. A state in which no money moved as the query asks is returned
 * only when a second provider agrees or no other provider responds. With `needsAgreement`, `paid` is returned only when a
 * second provider agrees or only one provider is configured. When two providers return `unused`, `headAt` is the
 * earlier time of their last blocks; when two providers disagree, the state is `unused` at the time 0, which proves
 * nothing. Source: EIP-3009.
 * @throws ChainUnreadableError when no provider can be read
 */
export async function readAuthorizationState(
  providers: Providers,
  query: AuthorizationQuery,
): Promise<AuthorizationState> {
  return providers.use(async (provider, others): Promise<AuthorizationState> => {
    const first = await readFromProvider(provider, query);
    if (isHarmless(first, query)) return first;
    const second = await readFromOthers(others, query);
    if (second === null) return first.state === 'paid' && others.length > 0 ? UNKNOWN : first;
    return isHarmless(second, query) ? second : combine(first, second);
  });
}

/**
 * Returns true if the chain makes a block only for a transaction, so its last block may be old: the provider names itself
 * as anvil, the node of local chains.
 * @throws ChainUnreadableError when no provider can be read
 */
export function isMinedOnDemand(providers: Providers): Promise<boolean> {
  return providers.use(async (provider) => {
    try {
      return (await provider.call('web3_clientVersion', [], z.string())).startsWith('anvil/');
    } catch (error) {
      // Providers may refuse this method.
      if (error instanceof RpcFailure) return false;
      throw error;
    }
  });
}

const codeSchema = z.string().regex(/^0x(?:[0-9a-f]{2})*$/i);

/**
 * Returns true if an address has code in the latest block. Such an address can have its own rules for signatures
 * (ERC-1271).
 * @throws ChainUnreadableError when no provider can be read
 */
export function hasCode(providers: Providers, address: Hex): Promise<boolean> {
  return providers.use(
    async (provider) => (await provider.call('eth_getCode', [address, 'latest'], codeSchema)) !== '0x',
  );
}

/**
 * A token and a payer, and nonces of authorizations that may have reduced the payer's balance. Addresses are lower
 * case.
 */
export interface FundsQuery {
  readonly asset: Hex;
  readonly payer: Hex;
  /** 32 bytes each. */
  readonly nonces: readonly Hex[];
}

/**
 * Token balance of a payer at the end of a block, in atomic units, and the requested nonces used by the end of that
 * block.
 */
export interface Funds {
  readonly balance: bigint;
  readonly usedNonces: ReadonlySet<Hex>;
}

/**
 * Reads the token balance of a payer, and which nonces of the payer's authorizations (EIP-3009) are used. All values
 * are read at the end of one block, so they are consistent.
 * @throws ChainUnreadableError when no provider can be read
 */
export async function readFunds(providers: Providers, { asset, payer, nonces }: FundsQuery): Promise<Funds> {
  const stateCalls = nonces.map((nonce) =>
    encodeFunctionData({ abi: TOKEN, functionName: 'authorizationState', args: [payer, nonce] }),
  );
  const balanceCall = encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [payer] });
  return providers.use(async (provider) => {
    const block = numberToHex(await provider.call('eth_blockNumber', [], quantitySchema));
    const params = [balanceCall, ...stateCalls].map((data) => [{ to: asset, data }, block]);
    const [balance = '0x0', ...states] = await provider.callMany('eth_call', params, wordSchema);
    const used = nonces.filter((_, index) => BigInt(states[index] ?? '0x0') !== 0n);
    return { balance: BigInt(balance), usedNonces: new Set(used) };
  });
}
