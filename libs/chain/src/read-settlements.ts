import type { SettlementStep } from '@touchstone/x402';
import { readEvmSettlements } from './evm/read-evm-settlements.ts';
import type { Providers } from './rpc/providers.ts';
import { readSolanaSettlements } from './solana/read-solana-settlements.ts';
import type { SettlementQuery } from './types.ts';

/**
 * Reads one step: the transfers to the wallets of the query in one range of blocks, starting at the cursor. A job
 * stores the settlements of the step with the new cursor, and the next step continues from that cursor.
 *
 * A step is read from one provider only. When that provider fails, another provider reads the whole step. When a reorg
 * has replaced blocks that were read before, the step reads nothing and returns the first block to discard as
 * `removedFrom`.
 *
 * All wallets of a network share a cursor. A wallet that is added later is read with a separate cursor, up to the block
 * that the shared cursor has reached (`until`).
 *
 * @throws ChainUnreadableError when no provider could be read. Payment figures are then not measured; they are not
 * zero.
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
