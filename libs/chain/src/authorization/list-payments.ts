import { type Hex, pad, parseAbi, toEventSelector } from 'viem';
import {
  AUTHORIZATION_TOPIC,
  type Log,
  type Receipt,
  receiptSchema,
  toAddress,
  transactionSchema,
  TRANSFER_TOPIC,
} from '../evm/logs.ts';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import {
  AUTHORIZATION_COLLECTOR,
  BATCH_SETTLEMENT,
  listSignedCalls,
  PERMIT2_COLLECTOR,
  PROXIES,
  type SignedCall,
} from './signed-calls.ts';

const [SETTLED] = parseAbi([
  'event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount)',
]);
const SETTLED_TOPIC = toEventSelector(SETTLED);
/** Contracts whose logs do not show what the payer signed, so the data of the transaction is read. */
const CONTRACTS = new Set<Hex>([...PROXIES, AUTHORIZATION_COLLECTOR, PERMIT2_COLLECTOR]);

/** Transfer that a payer signed. Amounts are atomic units, addresses of EVM networks are lower case. */
export interface SignedTransfer {
  /**
   * - `authorization`: EIP-3009.
   * - `permit2`: Permit2, of the schemes `exact` and `upto`.
   * - `deposit`: a deposit of the scheme `batch-settlement`, of which the receiver takes a part for each request.
   * - `transaction`: a transaction that the payer signed itself (Solana).
   * - `settlement`: what the receiver took of many deposits. The payer is the contract that holds the deposits.
   */
  readonly kind: 'authorization' | 'permit2' | 'deposit' | 'transaction' | 'settlement';
  /** 32 bytes (EIP-3009), or decimal digits (Permit2); null for a transaction and a settlement. */
  readonly nonce: string | null;
  readonly payer: string;
  /** For a deposit, the receiver of the channel; the contract that received it, if the transaction shows no receiver. */
  readonly payTo: string;
  readonly amount: bigint;
}

/** A provider, and the CAIP-2 id of its network. */
export interface Source {
  readonly provider: Provider;
  readonly network: string;
}

/** Reads the receipt of a transaction; null when the provider does not have the receipt. */
export async function readReceipt(provider: Provider, transaction: string): Promise<Receipt | null> {
  const receipt = await provider.call('eth_getTransactionReceipt', [transaction], receiptSchema);
  if (receipt?.transactionHash !== transaction) return null;
  if (receipt.logs.some(({ transactionHash }) => transactionHash !== transaction))
    throw new RpcFailure('unusable', 'has a receipt with a log of another transaction');
  return receipt;
}

/**
 * Lists the transfers of a token in a transaction that their payers signed, and the settlements of deposits. Transfers
 * without a signature of x402 are left out.
 * @throws RpcFailure when the provider lacks the transaction of its receipt
 */
export async function listPayments(
  { provider, network }: Source,
  receipt: Receipt,
  asset: Hex,
): Promise<SignedTransfer[]> {
  const { logs, transactionHash } = receipt;
  const authorized = listAuthorized(logs, asset);
  const settlements = logs.flatMap((log) => readSettlement(log, asset));
  const isPlain = logs.every(({ address, topics }) => !CONTRACTS.has(address) && !topics.some(isContract));
  if (isPlain) return [...authorized, ...settlements];
  const transaction = await provider.call('eth_getTransactionByHash', [transactionHash], transactionSchema);
  if (transaction?.hash !== transactionHash)
    throw new RpcFailure('unusable', 'lacks a transaction, although it sent its receipt');
  const calls = listSignedCalls(transaction.input, Number(network.slice('eip155:'.length))).filter(
    (call) => call.asset === asset,
  );
  const transfers = logs.flatMap((log, index) => {
    const isAuthorized = logs[index - 1]?.topics[0] === AUTHORIZATION_TOPIC;
    return isAuthorized ? [] : (readTransfer(log, asset) ?? []);
  });
  return [
    ...authorized.map((each) => nameReceiver(each, calls)),
    ...listPermitted(calls, transfers, new Set(logs.map(({ address }) => address))),
    ...settlements,
  ];
}

const isContract = (topic: Hex): boolean => CONTRACTS.has(toAddress(topic) ?? '0x');

interface Transfer {
  readonly payer: Hex;
  readonly payTo: Hex;
  readonly amount: bigint;
}

/** Returns the transfer that a log shows; null for another token, event or format. */
function readTransfer(log: Log | undefined, asset: Hex): Transfer | null {
  const [topic, from, to] = log?.topics ?? [];
  if (log?.address !== asset || topic !== TRANSFER_TOPIC || from === undefined || to === undefined)
    return null;
  const [payer, payTo] = [toAddress(from), toAddress(to)];
  if (payer === null || payTo === null || log.data.length !== 66) return null;
  return { payer, payTo, amount: BigInt(log.data) };
}

/**
 * Lists the transfers by EIP-3009. USDC writes the transfer right after the use of its authorization (FiatTokenV2,
 * `_transferWithAuthorization`).
 */
function listAuthorized(logs: readonly Log[], asset: Hex): SignedTransfer[] {
  return logs.flatMap(({ address, topics: [event, authorizer, nonce] }, index): SignedTransfer[] => {
    if (address !== asset || event !== AUTHORIZATION_TOPIC || nonce === undefined) return [];
    const transfer = readTransfer(logs[index + 1], asset);
    if (transfer === null || authorizer !== pad(transfer.payer, { size: 32 })) return [];
    return [
      { kind: transfer.payTo === AUTHORIZATION_COLLECTOR ? 'deposit' : 'authorization', nonce, ...transfer },
    ];
  });
}

/**
 * Replaces the collector of a deposit by the receiver of its channel. The payer's nonce commits to the channel, so a call
 * with the nonce proves the receiver.
 */
function nameReceiver(transfer: SignedTransfer, calls: readonly SignedCall[]): SignedTransfer {
  if (transfer.kind !== 'deposit') return transfer;
  const call = calls.find(({ kind, nonce }) => kind === 'deposit' && nonce === transfer.nonce);
  return call === undefined ? transfer : { ...transfer, payTo: call.payTo };
}

/**
 * Lists the transfers by Permit2, which writes no log: those that a call and a log of its contract show. Each log of a
 * transfer counts once. Calls with one nonce and different receivers name none of them, because only one call was made.
 */
function listPermitted(
  calls: readonly SignedCall[],
  transfers: readonly Transfer[],
  contracts: ReadonlySet<Hex>,
): SignedTransfer[] {
  const isSettled = PROXIES.some((proxy) => contracts.has(proxy));
  const left = [...transfers];
  const permitted = calls.filter(({ kind, nonce }) =>
    kind === 'permit2' ? isSettled : !nonce.startsWith('0x'),
  );
  const byNonce = Map.groupBy(permitted, ({ payer, nonce }) => `${payer} ${nonce}`);
  return [...byNonce.values()].flatMap((same): SignedTransfer[] => {
    for (const { kind, nonce, payer, payTo, amount } of same) {
      const receivers = kind === 'permit2' ? [payTo] : [PERMIT2_COLLECTOR, BATCH_SETTLEMENT];
      const index = left.findIndex(
        (each) => each.payer === payer && receivers.includes(each.payTo) && each.amount === amount,
      );
      const [taken] = index < 0 ? [] : left.splice(index, 1);
      if (taken === undefined) continue;
      const isClear = kind === 'permit2' || same.every((each) => each.payTo === payTo);
      return [{ kind, nonce, payer, payTo: isClear ? payTo : taken.payTo, amount }];
    }
    return [];
  });
}

function readSettlement({ address, topics, data }: Log, asset: Hex): SignedTransfer[] {
  const [event, receiver, token] = topics;
  if (address !== BATCH_SETTLEMENT || event !== SETTLED_TOPIC || token !== pad(asset, { size: 32 }))
    return [];
  const payTo = receiver === undefined ? null : toAddress(receiver);
  if (payTo === null || data.length !== 66) return [];
  return [{ kind: 'settlement', nonce: null, payer: BATCH_SETTLEMENT, payTo, amount: BigInt(data) }];
}
