import { checkAssetFormat } from '../networks/address.ts';
import { toBareAsset, findCanonicalUsdc } from './tokens.ts';

const CLAIM = /^(usdc|usd coin)$/i;

/** What an option says about its token. */
export interface TokenClaim {
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  /** `extra.name` and `extra.symbol` as advertised. */
  readonly names: readonly unknown[];
}

/**
 * True when a token calls itself USDC and is another token than the network's canonical USDC.
 *
 * Where no canonical USDC is known nothing can be said, so it is false. It is false too where the asset is
 * no address at all (the symbol itself, an empty text): such an offer names no other token, it is malformed,
 * and the rules on the shape of an asset say so.
 */
export function isFalseUsdc({ network, asset, names }: TokenClaim): boolean {
  const canonical = findCanonicalUsdc(network);
  if (canonical === null) return false;
  if (!names.some((name) => typeof name === 'string' && CLAIM.test(name.trim()))) return false;
  const bare = toBareAsset(network, asset);
  if (checkAssetFormat(network, bare) !== 'ok') return false;
  return canonical.domain === null
    ? bare !== canonical.asset
    : bare.toLowerCase() !== canonical.asset.toLowerCase();
}
