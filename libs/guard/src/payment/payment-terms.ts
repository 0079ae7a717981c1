import type { Decimal } from '../decision/decimal.ts';
import type { ProposedPayment } from '../decision/decision.ts';
import type { SummaryEndpoint, SummaryOption } from '../statement/summary.ts';

/** Valid values of a proposed payment, in the form in which they are compared. */
export interface PaymentTerms {
  /** URL without query, fragment and user info, which may contain secrets of the payer. */
  readonly resource: string;
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly amount: bigint;
  readonly payTo: string;
}

/** Visible ASCII characters only: the values appear in messages and logs, and sellers choose them. */
const VISIBLE = /^[!-~]{1,128}$/;
/** Digits of the largest 256-bit integer. */
const ATOMIC_AMOUNT = /^[0-9]{1,78}$/;
/** Maximum length of a URL that the service accepts, in characters. */
const MAX_RESOURCE_CHARS = 2_048;

/** Reads the values of a proposed payment. Returns null if one of them is malformed. */
export function readPaymentTerms(payment: ProposedPayment): PaymentTerms | null {
  const { url, network, asset, amount, payTo } = payment;
  const resource = toResource(url);
  if (resource === null || !ATOMIC_AMOUNT.test(amount)) return null;
  if (![network, asset, payTo].every((value) => VISIBLE.test(value))) return null;
  const id = toCaip2(network);
  return {
    resource,
    network: id,
    asset: normalizeAddress(id, asset),
    amount: BigInt(amount),
    payTo: normalizeAddress(id, payTo),
  };
}

/** Removes query, fragment and user info from a URL. Returns null for text that is not an http(s) URL. */
export function toResource(text: string): string | null {
  const url = parseUrl(text);
  if (url === null) return null;
  const resource = `${url.origin}${url.pathname}`;
  return resource.length <= MAX_RESOURCE_CHARS ? resource : null;
}

/** Parses an absolute http or https URL. Returns null for other text. */
export function parseUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** Names that no public DNS server resolves (RFC 6761, RFC 6762 and RFC 8375), and addresses without a name. */
const NOT_PUBLIC_HOST = /^[^.]*$|^[0-9.]+$|\.(?:localhost|local|internal|home\.arpa|lan|test|invalid|onion)$/;

/** Returns true for a URL whose host has no public name, so that Touchstone cannot know it. */
export function isNotPublic(resource: string): boolean {
  const host = new URL(resource).hostname.replace(/\.$/, '');
  return NOT_PUBLIC_HOST.test(host);
}

/**
 * CAIP-2 ids by the network names of x402 version 1. Source: network tables of the reference clients @x402/evm and
 * @x402/svm.
 */
const V1_NETWORKS = new Map([
  ['ethereum', 'eip155:1'],
  ['sepolia', 'eip155:11155111'],
  ['abstract', 'eip155:2741'],
  ['abstract-testnet', 'eip155:11124'],
  ['base', 'eip155:8453'],
  ['base-sepolia', 'eip155:84532'],
  ['avalanche', 'eip155:43114'],
  ['avalanche-fuji', 'eip155:43113'],
  ['iotex', 'eip155:4689'],
  ['sei', 'eip155:1329'],
  ['sei-testnet', 'eip155:1328'],
  ['polygon', 'eip155:137'],
  ['polygon-amoy', 'eip155:80002'],
  ['peaq', 'eip155:3338'],
  ['story', 'eip155:1514'],
  ['educhain', 'eip155:41923'],
  ['skale-base-sepolia', 'eip155:324705682'],
  ['megaeth', 'eip155:4326'],
  ['monad', 'eip155:143'],
  ['stable', 'eip155:988'],
  ['stable-testnet', 'eip155:2201'],
  ['celo', 'eip155:42220'],
  ['flare', 'eip155:14'],
  ['solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['solana-devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
  ['solana-testnet', 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z'],
]);

/** A token with its number of decimals. */
export interface Token {
  readonly asset: string;
  readonly decimals: number;
}

/**
 * Canonical USDC by CAIP-2 id, issued by Circle. Source: default assets of the reference clients. For these networks the
 * guard relies on this table alone, so that a false statement cannot present another token as USDC.
 */
export const CANONICAL_USDC: ReadonlyMap<string, Token> = new Map(
  (
    [
      ['eip155:1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
      ['eip155:50', '0xfA2958CB79b0491CC627c1557F441eF849Ca8eb1'],
      ['eip155:51', '0xb5AB69F7bBada22B28e79C8FFAECe55eF1c771D4'],
      ['eip155:137', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
      ['eip155:143', '0x754704Bc059F8C67012fEd69BC8A327a5aafb603'],
      ['eip155:1328', '0x4fCF1784B31630811181f670Aea7A7bEF803eaED'],
      ['eip155:1329', '0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392'],
      ['eip155:8453', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
      ['eip155:42161', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
      ['eip155:42220', '0xcebA9300f2b948710d2653dD7B07f33A8B32118C'],
      ['eip155:43113', '0x5425890298aed601595a70AB815c96711a31Bc65'],
      ['eip155:43114', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'],
      ['eip155:80002', '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582'],
      ['eip155:84532', '0x036CbD53842c5426634e7929541eC2318f3dCF7e'],
      ['eip155:421614', '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d'],
      ['eip155:11142220', '0x01C5C0122039549AD1493B8220cABEdD739BC44E'],
      ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
      ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'],
      ['solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'],
    ] as const
  ).map(([network, asset]) => [network, { asset, decimals: 6 }]),
);

/** Converts a network name of x402 version 1 to its CAIP-2 id. Returns other text unchanged. */
export function toCaip2(network: string): string {
  return V1_NETWORKS.get(network.toLowerCase()) ?? network;
}

/**
 * Returns true for two spellings of one address. The case of EVM addresses does not matter.
 *
 * @param network CAIP-2 id
 */
export function isSameAddress(network: string, left: string, right: string): boolean {
  return normalizeAddress(network, left) === normalizeAddress(network, right);
}

function normalizeAddress(network: string, address: string): string {
  return network.startsWith('eip155:') ? address.toLowerCase() : address;
}

/** Finds the observed payment option with the token of a payment. */
export function findOption(
  { network, asset }: PaymentTerms,
  endpoint: SummaryEndpoint | null,
): SummaryOption | null {
  const isOffered = (option: SummaryOption) =>
    option.network === network && isSameAddress(network, option.asset, asset);
  return endpoint?.payOn.find(isOffered) ?? null;
}

/** Returns true if a payment is in the canonical USDC. The statement decides only for networks outside the guard's table. */
export function isCanonicalUsdc(terms: PaymentTerms, endpoint: SummaryEndpoint | null): boolean {
  const canonical = CANONICAL_USDC.get(terms.network);
  return canonical === undefined
    ? findOption(terms, endpoint)?.canonicalUsdc === true
    : isSameAddress(terms.network, canonical.asset, terms.asset);
}

/**
 * Returns the price of a payment in US dollars; null for an unknown token. A statement names the decimals of dollar tokens
 * only, so each of these tokens counts as one dollar.
 */
export function toPriceUsd(terms: PaymentTerms, endpoint: SummaryEndpoint | null): Decimal | null {
  const canonical = CANONICAL_USDC.get(terms.network);
  const scale =
    canonical !== undefined && isSameAddress(terms.network, canonical.asset, terms.asset)
      ? canonical.decimals
      : (findOption(terms, endpoint)?.decimals ?? null);
  return scale === null ? null : { digits: terms.amount, scale };
}
