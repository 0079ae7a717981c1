import { isJsonObject } from '@touchstone/common';
import { checkAssetFormat, checkPayToFormat, isBurnAddress } from '../networks/address.ts';
import {
  DEFAULT_NETWORK,
  findCanonicalUsdc,
  parseNetwork,
  TOKENS,
  type Token,
} from '../networks/networks.ts';
import { findToken, isPayToToken, toBareAsset } from '../networks/tokens.ts';
import { findKnownScheme, isCaip2 } from '../rules/offered-options.ts';
import { MAX_TIMEOUT_SECONDS } from '../rules/v2/asset-payee-rules.ts';
import type { PaymentOption } from '../types.ts';

/** Payment option that a server library turns into a payable option of a challenge. */
export interface RepairedOption {
  /** CAIP-2 id. */
  readonly network: string;
  /** Price as text, such as `$0.01`, where the library knows the token; otherwise the token and its amount. */
  readonly price: string | TokenPrice;
  /** Address of the seller, or `PAY_TO_PLACEHOLDER`. */
  readonly payTo: string;
  /** Null for the default of the library. */
  readonly maxTimeoutSeconds: number | null;
  /** Sentences on the values that the seller must check, because the challenge does not show the right value. */
  readonly remarks: readonly string[];
}

export interface TokenPrice {
  readonly asset: string;
  /** Atomic units. */
  readonly amount: string;
  /** EIP-712 domain of the token; null for a token whose domain is not known or not needed. */
  readonly domain: { readonly name: string; readonly version: string } | null;
}

export const PAY_TO_PLACEHOLDER = 'YOUR_WALLET_ADDRESS';

const SOLANA_MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
/** Price in place of one that is not readable. */
const PLACEHOLDER_PRICE = '$0.01';
const MIN_TIMEOUT_SECONDS = 10;

/** Option in place of those of a response without a readable option. */
const PLACEHOLDER_OPTION: RepairedOption = {
  network: DEFAULT_NETWORK,
  price: PLACEHOLDER_PRICE,
  payTo: PAY_TO_PLACEHOLDER,
  maxTimeoutSeconds: null,
  remarks: ['The response has no readable payment option. Write your own address and price.'],
};

/**
 * Repairs the options of a challenge for the server libraries. A response without a readable option gets one to fill in.
 *
 * @returns null when the challenge has options, but none that `repairOption` repairs
 */
export function repairOptions(
  options: readonly PaymentOption[],
): readonly [RepairedOption, ...RepairedOption[]] | null {
  if (options.length === 0) return [PLACEHOLDER_OPTION];
  const repaired = options.map(repairOption).filter((option) => option !== null);
  // Options that differ only in an unknown scheme become the same option.
  const byText = new Map(repaired.map((option) => [JSON.stringify(option), option]));
  const [first, ...others] = byText.values();
  return first === undefined ? null : [first, ...others];
}

/**
 * Returns what the seller of an option most likely means, in a form that the reference server libraries accept. Values
 * that the challenge does not show are replaced, and a remark names each of them.
 *
 * @returns null for an option that these libraries do not serve with the scheme `exact`: another scheme of the
 *   specification, or a network that is unknown or neither EVM nor Solana
 */
export function repairOption(option: PaymentOption): RepairedOption | null {
  const scheme = findKnownScheme(option.scheme) ?? 'exact';
  const remarks: string[] = [];
  const network = repairNetwork(option.network, remarks);
  if (scheme !== 'exact' || network === null || !/^(eip155|solana):/.test(network)) return null;
  const price = repairPrice(option, network, remarks);
  const payTo = repairPayTo(option, network, remarks);
  return { network, price, payTo, maxTimeoutSeconds: repairTimeout(option), remarks };
}

/** Spellings of Base and of Solana that are no CAIP-2 ids. A test network is never replaced by a main network. */
const NAMED_NETWORKS: readonly (readonly [RegExp, string])[] = [
  [/^(eip155:)?base([ _-]?mainnet)?$/i, DEFAULT_NETWORK],
  [/^solana([ :_-]?mainnet([ _-]?beta)?)?$/i, SOLANA_MAINNET],
];

/** Returns the CAIP-2 id that a network most likely means; null for a network that this package does not know. */
function repairNetwork(network: string, remarks: string[]): string | null {
  if (isCaip2(network)) return network;
  const id = parseNetwork(network) ?? NAMED_NETWORKS.find(([pattern]) => pattern.test(network))?.[1] ?? null;
  if (id !== null)
    remarks.push(
      `The network of the challenge is not a CAIP-2 id. ${id} is assumed; check that it is yours.`,
    );
  return id;
}

function repairPrice(option: PaymentOption, network: string, remarks: string[]): string | TokenPrice {
  const usdc = findCanonicalUsdc(network);
  const token = findToken(network, option.asset);
  const isOtherToken =
    token === null && checkAssetFormat(network, option.asset) === 'valid' && !option.falseUsdc;
  // The amount of an unknown token has unknown decimals.
  const isPriced = token !== null || isOtherToken || isNamedUsdc(option);
  if (option.amount === null || option.amount === 0n || !isPriced) {
    remarks.push('The challenge has no readable price. Write your own.');
    return PLACEHOLDER_PRICE;
  }
  const amount = String(option.amount);
  if (isOtherToken) return { asset: toBareAsset(network, option.asset), amount, domain: readDomain(option) };
  if (token !== null && !isDefaultUsdc(token))
    return { asset: token.asset, amount, domain: token.domain ?? readDomain(option) };
  if (token === null) remarks.push(describeReplacedAsset(usdc));
  return formatPrice(option.amount, usdc?.decimals ?? 6);
}

/** Returns true for an asset that is not on its network, but which the seller most likely means as USDC. */
function isNamedUsdc({ asset, falseUsdc }: PaymentOption): boolean {
  return falseUsdc || /usdc/i.test(asset) || TOKENS.some((token) => isSameAsset(token, asset));
}

function isSameAsset({ asset, isCanonicalUsdc }: Token, other: string): boolean {
  return isCanonicalUsdc && asset.toLowerCase() === other.toLowerCase();
}

/** Returns the EIP-712 domain that an option names; null for an option without a domain. */
function readDomain({ extra }: PaymentOption): TokenPrice['domain'] {
  if (!isJsonObject(extra)) return null;
  const { name, version } = extra;
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : null;
}

/** Returns true for the token that the server libraries use for a price in dollars. */
function isDefaultUsdc({ isCanonicalUsdc, isClientDefault }: Token): boolean {
  return isCanonicalUsdc && isClientDefault;
}

function describeReplacedAsset(usdc: Token | null): string {
  const replacement = usdc === null ? 'the default token of the library' : `USDC (${usdc.asset})`;
  return `The asset of the challenge is not a token of this network. The price is in ${replacement} here.`;
}

/** Formats atomic units as a price for the server libraries, such as `$0.0105`. */
function formatPrice(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(2, '0');
  return `$${digits.slice(0, -decimals)}.${fraction}`;
}

function repairPayTo({ payTo, asset }: PaymentOption, network: string, remarks: string[]): string {
  const isUsable =
    checkPayToFormat(network, payTo) !== 'invalid' &&
    !isBurnAddress(payTo) &&
    !isPayToToken(payTo, network, asset);
  if (isUsable && payTo !== '') return payTo;
  remarks.push(
    'The payTo of the challenge is not a wallet of yours. Write the address that should receive the money.',
  );
  return PAY_TO_PLACEHOLDER;
}

function repairTimeout({ maxTimeoutSeconds: seconds }: PaymentOption): number | null {
  return seconds !== null && seconds >= MIN_TIMEOUT_SECONDS && seconds <= MAX_TIMEOUT_SECONDS
    ? seconds
    : null;
}
