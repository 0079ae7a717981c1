import type { Hex } from 'viem';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import { AUTHORIZATION_TOPIC, toAddress, TRANSFER_TOPIC, receiptSchema, type Log } from './logs.ts';

/** Fields that are needed to pair a transfer log with the log of its authorization. */
export interface PayerLog {
  readonly transaction: string;
  /** Index of the log within its block. */
  readonly logIndex: number;
  /** Sender of the transfer, or authorizer of the authorization. */
  readonly payer: string;
}

export interface Pairing<T> {
  /** Transfers whose log follows directly after an authorization of the same payer. */
  readonly settled: ReadonlySet<T>;
  /**
   * Transfers whose settlement only the receipt shows. In the same transaction, the payer has an authorization, but
   * these logs have no transfer directly after the authorization. The authorization may belong to this transfer, or to
   * an unread transfer to another wallet.
   */
  readonly undecided: readonly T[];
}

const toPayerKey = ({ transaction, payer }: PayerLog): string => `${transaction} ${payer}`;
const toPositionKey = (log: PayerLog, logIndex = log.logIndex): string => `${toPayerKey(log)} ${logIndex}`;

/**
 * Finds the transfers that settle an EIP-3009 authorization. USDC writes the transfer right after the authorization, so
 * an authorization is paired only with the log that directly follows it. A second transfer of the same payer in the
 * same transaction is therefore not a settlement. Source: FiatTokenV2 of Circle's stablecoin-evm,
 * `_transferWithAuthorization`.
 */
export function pairLogs<T extends PayerLog>(
  transfers: readonly T[],
  authorizations: readonly PayerLog[],
): Pairing<T> {
  const expected = new Set(authorizations.map((log) => toPositionKey(log, log.logIndex + 1)));
  const settled = new Set(transfers.filter((log) => expected.has(toPositionKey(log))));
  for (const log of settled) expected.delete(toPositionKey(log));
  const unpaired = new Set(
    authorizations.filter((log) => expected.has(toPositionKey(log, log.logIndex + 1))).map(toPayerKey),
  );
  const undecided = transfers.filter((log) => !settled.has(log) && unpaired.has(toPayerKey(log)));
  return { settled, undecided };
}

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
 * Number of transfers without an authorization whose receipts are read, to detect a provider that omits
 * authorizations.
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
 * Finds the last log of the same token and payer before the transfer. Returns true when that log is an authorization
 * and not another transfer.
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
