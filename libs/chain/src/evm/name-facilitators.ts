import type { Settlement } from '@touchstone/x402';
import type { Hex } from 'viem';
import { findFacilitator } from '../facilitators.ts';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { senderSchema } from './schemas.ts';

async function readSenders(provider: Provider, transactions: readonly string[]): Promise<Map<string, Hex>> {
  const params = transactions.map((transaction) => [transaction]);
  const results = await provider.callMany('eth_getTransactionByHash', params, senderSchema);
  const senders = new Map<string, Hex>();
  for (const [index, transaction] of transactions.entries()) {
    const result = results[index];
    if (!result || result.hash !== transaction) {
      throw new RpcFailure('unusable', 'lacks a transaction, although it sent logs of the transaction');
    }
    senders.set(transaction, result.from);
  }
  return senders;
}

/**
 * Adds the names of the facilitators that sent the settlements. A transfer without an authorization log counts as an
 * x402 payment when a known facilitator sent it for another payer, because permit2 payments have no authorization log.
 *
 * @param lookup transfers whose senders are looked up: `plain` for those without an authorization, `all` or `none`
 */
export async function nameFacilitators(
  { provider, network }: { readonly provider: Provider; readonly network: string },
  settlements: readonly Settlement[],
  lookup: 'none' | 'plain' | 'all',
): Promise<Settlement[]> {
  const selected = settlements.filter(
    ({ kind }) => lookup === 'all' || (lookup === 'plain' && kind === 'transfer'),
  );
  const transactions = new Set(selected.map(({ transaction }) => transaction));
  const senders = await readSenders(provider, [...transactions]);
  return settlements.map((settlement): Settlement => {
    const sender = senders.get(settlement.transaction);
    if (sender === undefined) return settlement;
    const facilitator = findFacilitator(network, sender);
    if (facilitator === null || sender === settlement.payer) return settlement;
    return { ...settlement, facilitator, kind: 'x402' };
  });
}
