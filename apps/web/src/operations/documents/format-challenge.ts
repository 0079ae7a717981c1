import { createChallenge, type Operation } from '@touchstone/contract';
import { findCanonicalUsdc } from '@touchstone/x402';

/** Payment terms of this service. */
interface Terms {
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
  /** CAIP-2 id of the payment network. */
  readonly network: string;
  /** Wallet that receives payments; null if payments are disabled. */
  readonly payTo: string | null;
}

/**
 * Formats the challenge of a paid operation as JSON, with the payment terms of this service. Of the resource, only the
 * URL is shown, and no extensions: they are several times longer than the terms. Returns null for a free operation, and
 * while payments are disabled, because no challenge is sent then.
 */
export function formatChallenge(operation: Operation, { baseUrl, network, payTo }: Terms): string | null {
  const token = findCanonicalUsdc(network);
  if (operation.priceUsd === null || payTo === null || token === null || token.domain === null) return null;
  const { x402Version, error, resource, accepts } = createChallenge(operation, baseUrl, {
    network,
    payTo,
    asset: token.asset,
    decimals: token.decimals,
    domain: token.domain,
  });
  const shown = { x402Version, error, resource: { url: resource.url }, accepts };
  return JSON.stringify(shown, null, 2);
}
