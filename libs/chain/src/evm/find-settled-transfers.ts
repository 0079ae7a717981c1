import type { Hex } from 'viem';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { toAddress, AUTHORIZATION_TOPIC, TRANSFER_TOPIC } from './events.ts';
import { pairLogs, type PayerLog } from './pair-logs.ts';
import { receiptSchema, type Log } from './schemas.ts';

interface Found<T> {
  readonly transfers: readonly T[];
  readonly authorizations: readonly PayerLog[];
}

/** Receipts that a step looks at. Who writes more of such transactions than this pays for them, and settles nothing. */
const MAX_RECEIPTS = 100;
/** Transfers without an authorization that are looked at to see whether the provider keeps authorizations back. */
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
      throw new RpcFailure('unusable', 'does not have the receipt of a transaction whose logs it has');
    }
    logs.set(transaction, receipt.logs);
  }
  return logs;
}

/** Whether an authorization of the payer comes before the transfer, and none of its transfers in between. */
function isSettled(transfer: PayerLog, receipt: readonly Log[], token: Hex): boolean {
  const before = receipt
    .filter(({ address, topics, logIndex }) => {
      const from = topics[1] && toAddress(topics[1]);
      return address === token && from === transfer.payer && logIndex < transfer.logIndex;
    })
    .filter(({ topics: [event] }) => event === AUTHORIZATION_TOPIC || event === TRANSFER_TOPIC);
  return before.at(-1)?.topics[0] === AUTHORIZATION_TOPIC;
}

/** Some of what was found to be plain: the first, the last and one in the middle. */
function sampleOf<T>(plain: readonly T[]): T[] {
  const places = [0, plain.length - 1, Math.floor(plain.length / 2)].slice(0, SPOT_CHECKS);
  return [...new Set(places)].flatMap((place) => plain[place] ?? []);
}

/**
 * Which transfers settle an authorization. Where the logs at hand leave it open, the receipt shows it; and a few receipts
 * of what seems to be plain show whether the provider keeps authorizations back.
 *
 * @throws RpcFailure for a provider whose receipts hold authorizations that its logs do not
 */
export async function findSettledTransfers<T extends PayerLog>(
  provider: Provider,
  token: Hex,
  { transfers, authorizations }: Found<T>,
): Promise<Set<T>> {
  const { settled, undecided: doubtful } = pairLogs(transfers, authorizations);
  const found = new Set(settled);
  const open = new Set(doubtful);
  const sample = sampleOf(transfers.filter((transfer) => !settled.has(transfer) && !open.has(transfer)));
  const asked = [...sample, ...doubtful].map(({ transaction }) => transaction);
  const receipts = await readReceipts(provider, [...new Set(asked)].slice(0, MAX_RECEIPTS));
  for (const transfer of [...sample, ...doubtful]) {
    if (!isSettled(transfer, receipts.get(transfer.transaction) ?? [], token)) continue;
    if (!open.has(transfer)) throw new RpcFailure('unusable', 'left out an authorization that a receipt has');
    found.add(transfer);
  }
  return found;
}
