import type { Hex } from 'viem';
import { findFacilitator } from '../facilitators.ts';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import type { Settlement } from '@touchstone/x402';
import { senderSchema } from './schemas.ts';

/** Who sent each of the transactions. */
async function readSenders(provider: Provider, transactions: readonly string[]): Promise<Map<string, Hex>> {
  const params = transactions.map((transaction) => [transaction]);
  const answers = await provider.callMany('eth_getTransactionByHash', params, senderSchema);
  const senders = new Map<string, Hex>();
  for (const [index, transaction] of transactions.entries()) {
    const answer = answers[index];
    if (!answer || answer.hash !== transaction) {
      throw new RpcFailure('unusable', 'does not have a transaction whose logs it has');
    }
    senders.set(transaction, answer.from);
  }
  return senders;
}

/**
 * Names the facilitators that sent settlements. A transfer without an authorization that a known facilitator sent for
 * somebody else is a settlement too: permit2 leaves no authorization behind.
 *
 * @param which `plain` looks up who sent transfers without an authorization, `all` everybody, `none` nobody
 */
export async function nameFacilitators(
  { provider, network }: { readonly provider: Provider; readonly network: string },
  settlements: readonly Settlement[],
  which: 'none' | 'plain' | 'all',
): Promise<Settlement[]> {
  const wanted = settlements.filter(
    ({ kind }) => which === 'all' || (which === 'plain' && kind === 'transfer'),
  );
  const senders = await readSenders(provider, [...new Set(wanted.map(({ transaction }) => transaction))]);
  return settlements.map((settlement): Settlement => {
    const sender = senders.get(settlement.transaction);
    if (sender === undefined) return settlement;
    const facilitator = findFacilitator(network, sender);
    if (facilitator === null || sender === settlement.payer) return settlement;
    return { ...settlement, facilitator, kind: 'x402' };
  });
}
