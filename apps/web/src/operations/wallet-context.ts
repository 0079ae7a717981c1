import { createChainSources } from '@touchstone/pipeline/chain-source';
import type { DisputeContext } from '@touchstone/pipeline/disputes/dispute-context';
import { getConfig, getSiteOrigin } from '../platform/config/config.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { getProcessValue } from '../platform/process-value.ts';
import { expireTags } from '../serving/page-cache/expire-tags.ts';

/**
 * Returns the context in which disputes and outcomes of payments are stored. Both have their own RPC access: a wallet that
 * is a contract can make calls fail, and such failures must not pause the RPC access of sales.
 */
export function getWalletContext(): DisputeContext {
  const { rpcUrls, vantage } = getConfig();
  return {
    db: getSecretDatabase(),
    now: Date.now,
    onChanged: expireTags,
    baseUrl: getSiteOrigin(process.env),
    vantage,
    chains: getProcessValue('wallet-chains', () => createChainSources(rpcUrls)),
  };
}
