import { checkAssetFormat } from '../networks/address.ts';
import { toBareAsset, findCanonicalUsdc } from './tokens.ts';

const USDC_NAMES = /^(usdc|usd coin)$/i;

/** Token address and names that a payment option advertises on a network. */
export interface TokenClaim {
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  /** `extra.name` and `extra.symbol` as advertised. */
  readonly names: readonly unknown[];
}

/**
 * Returns true when an option claims to be USDC but its asset is not the network's canonical USDC.
 *
 * Returns false for a network without a known canonical USDC. Also returns false when the asset is not an address, such
 * as a symbol or empty text. The rules on asset formats report such an option.
 */
export function isFalseUsdc({ network, asset, names }: TokenClaim): boolean {
  const canonical = findCanonicalUsdc(network);
  if (canonical === null) return false;
  if (!names.some((name) => typeof name === 'string' && USDC_NAMES.test(name.trim()))) return false;
  const bare = toBareAsset(network, asset);
  if (checkAssetFormat(network, bare) !== 'ok') return false;
  return canonical.domain === null
    ? bare !== canonical.asset
    : bare.toLowerCase() !== canonical.asset.toLowerCase();
}
