import { encodeFunctionData, numberToHex, pad, parseAbi, toEventSelector, type Hex } from 'viem';
import { toAddress, AUTHORIZATION_TOPIC, TRANSFER_TOPIC } from '../evm/events.ts';
import { findFirstBlockSince } from '../evm/find-block.ts';
import { readLogs } from '../evm/read-logs.ts';
import { readHeader } from '../evm/blocks.ts';
import { quantitySchema, receiptSchema, wordSchema, type Log } from '../evm/schemas.ts';
import type { Provider } from '../rpc/provider.ts';
import type { Providers } from '../rpc/providers.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';

const TOKEN = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
]);
const CANCELED_TOPIC = toEventSelector(TOKEN[1]);
const ZERO = `0x${'0'.repeat(64)}`;

/** A transfer that a payer authorized (EIP-3009), and where to look for it. Addresses and nonce are in lower case. */
export interface AuthorizationQuery {
  readonly asset: Hex;
  readonly payer: Hex;
  /** 32 bytes. */
  readonly nonce: Hex;
  readonly payTo: Hex;
  /** Atomic units. */
  readonly amount: bigint;
  /** Milliseconds since the epoch; it cannot have been used before. */
  readonly since: number;
  /** Blocks that are asked for at once: 9,000. */
  readonly maxSpan?: number;
}

/**
 * What became of an authorization. `unused`: nobody has used it up to the last block, whose time is `headAt` in
 * milliseconds; `canceled`: the payer withdrew it; `paid`: it made this very transfer; `used-otherwise`: its nonce made
 * another one.
 */
export type AuthorizationState =
  | { readonly state: 'unused'; readonly headAt: number }
  | { readonly state: 'canceled' }
  | { readonly state: 'paid'; readonly transaction: Hex }
  | { readonly state: 'used-otherwise'; readonly transaction: Hex };

/** Whether a nonce is used at the end of a block: what other nodes behind the same address know does not matter. */
async function isUsed(
  provider: Provider,
  { asset, payer, nonce }: AuthorizationQuery,
  head: bigint,
): Promise<boolean> {
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'authorizationState', args: [payer, nonce] });
  return (await provider.call('eth_call', [{ to: asset, data }, numberToHex(head)], wordSchema)) !== ZERO;
}

/** The one log of a nonce: a token takes it once, whether it is used or withdrawn. */
async function findLog(provider: Provider, order: AuthorizationQuery, head: bigint): Promise<Log> {
  const span = BigInt(order.maxSpan ?? 9_000);
  const about = [[pad(order.payer, { size: 32 })], [order.nonce]] as const;
  for (let from = await findFirstBlockSince(provider, order.since, head); from <= head; from += span) {
    const last = from + span - 1n;
    const range = { from, to: last < head ? last : head };
    for (const event of [AUTHORIZATION_TOPIC, CANCELED_TOPIC]) {
      const filter = { address: order.asset, topics: [event, ...about] } as const;
      const [found] = (await readLogs(provider, filter, range)).logs;
      if (found !== undefined) return found;
    }
  }
  throw new RpcFailure('unusable', 'does not have the log of an authorization that was used');
}

/** USDC writes a transfer right after the use of its authorization (FiatTokenV2, `_transferWithAuthorization`). */
function isTransfer(log: Log, { asset, payer, payTo, amount }: AuthorizationQuery): boolean {
  const [topic, from, to] = log.topics;
  if (log.address !== asset || topic !== TRANSFER_TOPIC || from === undefined || to === undefined)
    return false;
  return (
    toAddress(from) === payer && toAddress(to) === payTo && log.data === numberToHex(amount, { size: 32 })
  );
}

/** What became of a nonce that is used, by the log that says so. */
async function readUse(provider: Provider, order: AuthorizationQuery, log: Log): Promise<AuthorizationState> {
  if (log.topics[0] === CANCELED_TOPIC) return { state: 'canceled' };
  const transaction = log.transactionHash;
  const receipt = await provider.call('eth_getTransactionReceipt', [transaction], receiptSchema);
  if (receipt === null) throw new RpcFailure('unusable', 'does not have a transaction whose logs it has');
  const used = receipt.logs.findIndex(({ address, topics }) => {
    const [event, payer, nonce] = topics;
    return (
      address === order.asset &&
      event === AUTHORIZATION_TOPIC &&
      payer === log.topics[1] &&
      nonce === order.nonce
    );
  });
  const next = used < 0 ? undefined : receipt.logs[used + 1];
  const paid = next !== undefined && isTransfer(next, order);
  return { state: paid ? 'paid' : 'used-otherwise', transaction };
}

async function readFromProvider(provider: Provider, order: AuthorizationQuery): Promise<AuthorizationState> {
  const head = await provider.call('eth_blockNumber', [], quantitySchema);
  if (await isUsed(provider, order, head)) {
    return readUse(provider, order, await findLog(provider, order, head));
  }
  return { state: 'unused', headAt: (await readHeader(provider, head)).timestamp * 1_000 };
}

/** What the first provider that answers says; null where none does. */
async function readFromOthers(
  others: readonly Provider[],
  order: AuthorizationQuery,
): Promise<AuthorizationState | null> {
  for (const other of others) {
    try {
      return await readFromProvider(other, order);
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
    }
  }
  return null;
}

/**
 * Looks on the chain for what became of an authorization, which its payer, its facilitator or anybody else can have
 * used, and the payer can have withdrawn. That nobody has is not said on the word of one provider where another one
 * answers; `headAt` is then the earlier of theirs. Source: EIP-3009.
 * @throws ChainUnreadable when no provider can tell
 */
export async function readAuthorizationState(
  providers: Providers,
  order: AuthorizationQuery,
): Promise<AuthorizationState> {
  return providers.use(async (provider, others): Promise<AuthorizationState> => {
    const fate = await readFromProvider(provider, order);
    const second = fate.state === 'unused' ? await readFromOthers(others, order) : null;
    if (fate.state !== 'unused' || second === null) return fate;
    if (second.state !== 'unused') return second;
    return { state: 'unused', headAt: Math.min(fate.headAt, second.headAt) };
  });
}
