import type { Hex } from 'viem';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { AUTHORIZATION_TOPIC, toAddress, TRANSFER_TOPIC } from './events.ts';
import { pairLogs, type PayerLog } from './pair-logs.ts';
import { receiptSchema, type Log } from './schemas.ts';

interface PaymentLogs<T> {
  readonly transfers: readonly T[];
  readonly authorizations: readonly PayerLog[];
}

/**
 * Maximum number of transactions whose receipts are read in one step. Transfers that need further receipts count as
 * plain transfers, without an authorization.
 */
const MAX_RECEIPTS = 100;
/**
 * Number of transfers whose receipts are read although no authorization was found for them. This detects a provider
 * that omits authorizations.
 */
const SPOT_CHECKS = 3;

async function readReceipts(
  provider: Provider,
  transactions: readonly string[],
): Promise<Map<string, Log[]>> {
  const params = transactions.map((transaction) => [transaction]);
  const receipts = await provider.callMany('eth_getTransactionReceipt', params, receiptSchema);
  const logs = new Map<string, Log[]>();
  for (const [index, transaction] of transactions.entries()) {
    const receipt = receipts[index];
    if (receipt?.transactionHash !== transaction) {
      throw new RpcFailure('unusable', 'lacks a receipt, although it sent logs of the transaction');
    }
    logs.set(transaction, receipt.logs);
  }
  return logs;
}

/**
 * Checks the last log before the transfer that concerns the same token and payer. Returns true when this log is an
 * authorization and not another transfer.
 */
function isSettled(transfer: PayerLog, receipt: readonly Log[], token: Hex): boolean {
  const before = receipt
    .filter(({ address, topics, logIndex }) => {
      const from = topics[1] && toAddress(topics[1]);
      return address === token && from === transfer.payer && logIndex < transfer.logIndex;
    })
    .filter(({ topics: [event] }) => event === AUTHORIZATION_TOPIC || event === TRANSFER_TOPIC);
  return before.at(-1)?.topics[0] === AUTHORIZATION_TOPIC;
}

/** Selects the first, the middle and the last of the transfers without an authorization. */
function selectSample<T>(plain: readonly T[]): T[] {
  const indexes = [0, plain.length - 1, Math.floor(plain.length / 2)].slice(0, SPOT_CHECKS);
  return [...new Set(indexes)].flatMap((index) => plain[index] ?? []);
}

/**
 * Finds the transfers that settle an EIP-3009 authorization. When the logs of the transfers and authorizations are not
 * sufficient, the receipt of the transaction decides. The receipts of a few plain transfers (without an authorization)
 * are checked too, to detect a provider that omits authorizations.
 *
 * @throws RpcFailure when a receipt contains an authorization that the logs lack
 */
export async function findSettledTransfers<T extends PayerLog>(
  provider: Provider,
  token: Hex,
  { transfers, authorizations }: PaymentLogs<T>,
): Promise<Set<T>> {
  const pairing = pairLogs(transfers, authorizations);
  const settled = new Set(pairing.settled);
  const undecided = new Set(pairing.undecided);
  const plain = transfers.filter((transfer) => !pairing.settled.has(transfer) && !undecided.has(transfer));
  const checked = [...selectSample(plain), ...pairing.undecided];
  const transactions = new Set(checked.map(({ transaction }) => transaction));
  const receipts = await readReceipts(provider, [...transactions].slice(0, MAX_RECEIPTS));
  for (const transfer of checked) {
    if (!isSettled(transfer, receipts.get(transfer.transaction) ?? [], token)) continue;
    if (!undecided.has(transfer))
      throw new RpcFailure('unusable', 'omitted an authorization that a receipt contains');
    settled.add(transfer);
  }
  return settled;
}
