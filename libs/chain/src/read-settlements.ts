import type { SettlementStep } from '@touchstone/x402';
import { readEvmSettlements } from './evm/read-evm-settlements.ts';
import type { Providers } from './rpc/providers.ts';
import { readSolanaSettlements } from './solana/read-solana-settlements.ts';
import type { SettlementQuery } from './types.ts';

/**
 * Reads one step of the transfers to wallets: one range of blocks from the cursor on, for all wallets of the query. The
 * work is bounded, so a job can run one step and store its result together with the new cursor. The next step continues
 * there. Wallets share a cursor. A wallet that is added later has a separate cursor until it has caught up (`until`).
 *
 * A step is read from one provider as a whole. When that provider fails, the step starts again with another one. When a
 * reorg has replaced blocks that were read before, the step reads nothing and returns the first replaced block.
 *
 * @throws ChainUnreadableError when no provider could be read. The figures are then not measured, which is not zero.
 */
export async function readSettlements(
  query: SettlementQuery & { readonly providers: Providers },
): Promise<SettlementStep> {
  return query.providers.use((provider, others) =>
    query.network.startsWith('solana:')
      ? readSolanaSettlements(provider, query)
      : readEvmSettlements(provider, others, query),
  );
}
