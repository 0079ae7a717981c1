import { readEvmSettlements } from './evm/read-evm-settlements.ts';
import { readSolanaSettlements } from './solana/read-solana-settlements.ts';
import type { Providers } from './rpc/providers.ts';
import type { SettlementStep } from '@touchstone/x402';
import type { SettlementQuery } from './types.ts';

/**
 * Reads one step of what was paid to wallets: one range of blocks, from where the cursor stands, with all the wallets of
 * the order together. Work is bounded, so that a job can do it as a step and store what it found together with the
 * cursor; the next step goes on there. Wallets share a cursor, so one that is added later has a cursor of its own until
 * it has caught up (`until` says up to where).
 *
 * A step is read with one provider from beginning to end and begins anew with another one when that fails. When a re-org
 * replaced what was read, the step reads nothing and says from which block on everything is void.
 *
 * @throws ChainUnreadable when no provider could be read: nothing is known then, which is not zero
 */
export async function readSettlements(
  order: SettlementQuery & { readonly providers: Providers },
): Promise<SettlementStep> {
  return order.providers.use((provider, others) =>
    order.network.startsWith('solana:')
      ? readSolanaSettlements(provider, order)
      : readEvmSettlements(provider, others, order),
  );
}
