import { readMember } from '../json/untrusted-json.ts';
import { isV1Name } from '../networks/networks.ts';
import { findToken, hasClientDefault } from '../networks/tokens.ts';
import { DEFAULT_SCHEME, readAtomicText, readDollars, type SCHEME_CLIENTS } from './default-settings.ts';
import type { ClientOption, SignedPayment } from './payment-prediction.ts';
import { listMissingSchemeMembers, isStrictEvmAddress } from './scheme-members.ts';
import {
  computeV2Validity,
  findDomainFault,
  findUnsignableEvmMember,
  findUnsignableSolanaMember,
  isAttachableMemo,
  toClientInteger,
  UINT256,
} from './signing.ts';

export type Version = 1 | 2;

/** Payment option, and the facts with which a client judges its token and its amount. */
export interface Candidate extends ClientOption {
  /** True when the client's token table lists the asset. By default, the client pays in no other token. */
  readonly isTrusted: boolean;
  /** Amount in a trusted token, see `readDollars`; null when the client throws, and for other tokens. */
  readonly dollars: bigint | null;
  /** Amount in atomic units; null when the client cannot compare it with the limit of an allowed token. */
  readonly units: bigint | null;
}

/** Client behaviour that depends on the CAIP-2 namespace of the wallet. */
export interface Wallet {
  readonly chain: keyof typeof SCHEME_CLIENTS;
  /** Returns false when the client throws while it looks up the token of an option. */
  readonly canLookUp: (option: ClientOption) => boolean;
  /** Reason why the client throws while it looks up a token. */
  readonly lookUpFailure: string;
  readonly isSameAsset: (one: string, other: string) => boolean;
  /** Returns the first member that prevents the client from signing an option; null when the client can sign. */
  readonly findUnsignable: (option: ClientOption, version: Version) => string | null;
  readonly getMethod: (option: ClientOption, version: Version) => SignedPayment['method'];
}

export const EVM_WALLET: Wallet = {
  chain: 'eip155:',
  canLookUp: ({ caip2, asset }) => !hasClientDefault(caip2) || typeof asset === 'string',
  lookUpFailure: 'An option has an asset that is not text, so clients stop with an error.',
  isSameAsset: (one, other) => one.toLowerCase() === other.toLowerCase(),
  findUnsignable: findUnsignableOnEvm,
  getMethod: getEvmMethod,
};

export const WALLETS: readonly Wallet[] = [
  EVM_WALLET,
  {
    chain: 'solana:',
    // The client throws for every network except Solana mainnet, devnet and testnet. The client accepts a list in place
    // of a network name, but not in place of a CAIP-2 id.
    canLookUp: ({ caip2, network, isNetworkText }) =>
      hasClientDefault(caip2) && (isNetworkText || isV1Name(network)),
    lookUpFailure: 'An option names a Solana network that clients do not know, so they stop with an error.',
    isSameAsset: (one, other) => one === other,
    findUnsignable: findUnsignableOnSolana,
    getMethod: () => 'solana',
  },
];

/** Returns the amount of an option, whose name depends on the version. */
export function selectAmount({ amount, maxAmountRequired }: ClientOption, version: Version): unknown {
  return version === 1 ? maxAmountRequired : amount;
}

/** Judges the token and the amount of an option as the client of a wallet does. */
export function toCandidate(option: ClientOption, wallet: Wallet, version: Version): Candidate {
  const { caip2, asset } = option;
  const token = typeof asset === 'string' ? findToken(caip2, asset) : null;
  const isTrusted = token?.isClientDefault === true && wallet.isSameAsset(token.asset, String(asset));
  const amount = selectAmount(option, version);
  const text = readAtomicText(amount);
  return {
    ...option,
    isTrusted,
    dollars: isTrusted ? readDollars(amount, token.decimals) : null,
    units: text === null ? null : toClientInteger(text, UINT256),
  };
}

/** Returns true when a client that allows the token of one option also pays in the token of the other option. */
export function isSameToken({ network, asset }: ClientOption, allowed: ClientOption | null): boolean {
  if (allowed === null || typeof asset !== 'string' || typeof allowed.asset !== 'string') return false;
  return network === allowed.network && asset.toLowerCase() === allowed.asset.toLowerCase();
}

/** Returns true for a CAIP-2 id whose chain id the client can read. Source: @x402/evm 2.27 `getEvmChainId`. */
function hasChainId(network: string): boolean {
  const [, chainId = ''] = /^eip155:(\d+)$/.exec(network) ?? [];
  return chainId !== '' && Number.isSafeInteger(Number(chainId));
}

function findUnsignableOnEvm(option: ClientOption, version: Version): string | null {
  // In version 2 the client extracts the chain id from the network, which throws for a list.
  if (version === 2 && !(option.isNetworkText && hasChainId(option.network))) return 'network';
  const [missing] = listMissingSchemeMembers(option) ?? [];
  if (missing !== undefined) return `extra.${missing}`;
  const member = findUnsignableEvmMember({ ...option, amount: selectAmount(option, version) });
  if (member !== null) return member;
  if (computeV2Validity(option.maxTimeoutSeconds) === null) return 'maxTimeoutSeconds';
  const schemeMember = findUnsignableInContract(option);
  if (schemeMember !== null) return schemeMember;
  // The clients of auth-capture require the domain of the token for every payment.
  if (getEvmMethod(option, version) === 'permit2' && option.scheme !== 'auth-capture') return null;
  const fault = findDomainFault(option.extra);
  return fault === null || fault.isSignable ? null : fault.name;
}

/** Bits of the amount that the contract of a scheme accepts. Source: @x402/evm 2.27, EIP-712 types of the schemes. */
const AMOUNT_BITS: ReadonlyMap<unknown, bigint> = new Map([
  ['batch-settlement', 128n],
  ['auth-capture', 120n],
]);

/**
 * Returns the first member that prevents the client from encoding the data for the contract of a scheme other than
 * `exact`; null when the client can encode the data. Source: @x402/evm 2.27, `computeChannelId`, `hashPaymentInfo`.
 */
function findUnsignableInContract({
  scheme,
  payTo,
  asset,
  amount,
  maxTimeoutSeconds,
  extra,
}: ClientOption): string | null {
  const bits = AMOUNT_BITS.get(scheme);
  if (bits === undefined) return null;
  if (!isStrictEvmAddress(payTo)) return 'payTo';
  if (!isStrictEvmAddress(asset)) return 'asset';
  if (toClientInteger(amount, 1n << bits) === null) return 'amount';
  if (scheme === 'auth-capture') return Number.isInteger(maxTimeoutSeconds) ? null : 'maxTimeoutSeconds';
  const method = readMember(extra, 'assetTransferMethod') ?? 'eip3009';
  return method === 'eip3009' || method === 'permit2' ? null : 'extra.assetTransferMethod';
}

/**
 * Returns the method by which the client pays. In version 2, `exact` and most other schemes pay by Permit2 if the option
 * requests Permit2, and `upto` always pays by Permit2. Otherwise the method is EIP-3009.
 */
function getEvmMethod({ scheme, extra }: ClientOption, version: Version): 'permit2' | 'eip3009' {
  if (version === 1) return 'eip3009';
  return scheme === 'upto' || readMember(extra, 'assetTransferMethod') === 'permit2' ? 'permit2' : 'eip3009';
}

function findUnsignableOnSolana(option: ClientOption, version: Version): string | null {
  const [missing] = listMissingSchemeMembers(option) ?? [];
  if (missing !== undefined) return `extra.${missing}`;
  const feePayer = readMember(option.extra, 'feePayer');
  const member = findUnsignableSolanaMember({ ...option, amount: selectAmount(option, version), feePayer });
  if (member !== null) return member;
  const memo = readMember(option.extra, 'memo');
  // The client of the scheme upto ignores a memo that is not text.
  const isIgnored = option.scheme !== DEFAULT_SCHEME && typeof memo !== 'string';
  return isIgnored || isAttachableMemo(memo) ? null : 'extra.memo';
}
