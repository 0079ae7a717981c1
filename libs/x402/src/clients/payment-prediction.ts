import { toCaip2, isV1Name } from '../networks/networks.ts';
import { readMember, listToText, quote } from '../json/untrusted-json.ts';
import { isBurnAddress } from '../networks/address.ts';
import { describeWrongDomain, findToken, findTokenOfOtherNetwork, isPayToToken } from '../networks/tokens.ts';
import { findDomainFault, toClientInteger, UINT256 } from './signing.ts';
import { compareSettings, type ClientSetting } from './default-settings.ts';
import { describeOwnDomain, hasOwnDomain } from '../challenge/own-domain.ts';

/** Prediction of what a reference client does with a challenge. */
export interface PaymentPrediction {
  /** Reason why the client signs no payment; null when the client signs a payment, possibly with other settings. */
  readonly refusal: string | null;
  /**
   * Reason why the signed payment would fail or be lost; null when no such reason is known, and when no payment is
   * signed.
   */
  readonly settlementFailure: string | null;
  /**
   * Settings that a buyer must change before the client signs the payment; an empty list when the default settings are
   * enough, and when no payment is signed.
   */
  readonly settings: readonly ClientSetting[];
}

/** Reason why no client pays a challenge without payment options. */
export const EMPTY_ACCEPTS = 'The list accepts is empty, so there is nothing to pay.';

/** Returns the prediction for a client that signs no payment. */
export function predictRefusal(refusal: string): PaymentPrediction {
  return { refusal, settlementFailure: null, settings: [] };
}

/**
 * Result for one wallet that signs a payment: the signed option, the settings that its client needs, and the reason why
 * the payment would fail or be lost; null if the payment settles.
 */
export interface Signature extends Omit<PaymentPrediction, 'refusal'> {
  readonly option: ClientOption;
}

/**
 * Returns the most favourable prediction for several wallets: a payment that settles and needs the fewest settings,
 * else a payment that fails, else the given refusal.
 *
 * @param signatures result for each wallet that signs a payment
 * @param refusal reason that applies when no wallet signs a payment
 */
export function combineWallets(signatures: readonly Signature[], refusal: string): PaymentPrediction {
  const sorted = signatures.toSorted((one, other) => compareSettings(one.settings, other.settings));
  const best = sorted.find(({ settlementFailure }) => settlementFailure === null) ?? sorted[0];
  if (best === undefined) return predictRefusal(refusal);
  const { settlementFailure, settings } = best;
  return { refusal: null, settlementFailure, settings };
}

/** One entry of `accepts` as the reference clients read it. The values are not validated. */
export interface ClientOption {
  readonly scheme: unknown;
  /** Network, converted to text as in the clients; empty for a value that is neither text nor a list. */
  readonly network: string;
  /** CAIP-2 id of the network; empty for a network name that the clients do not support. */
  readonly caip2: string;
  /** True when the network is text. False for a list, which the clients convert to text, and for all other values. */
  readonly isNetworkText: boolean;
  readonly asset: unknown;
  readonly payTo: unknown;
  readonly amount: unknown;
  readonly maxAmountRequired: unknown;
  readonly maxTimeoutSeconds: unknown;
  readonly extra: unknown;
}

/**
 * Reads an `accepts` entry as the reference clients do.
 *
 * @param entry any JSON value
 * @returns null for an entry whose network cannot be read, which makes the clients throw
 */
export function toClientOption(entry: unknown): ClientOption | null {
  if (entry === null) return null;
  const given = readMember(entry, 'network');
  const network = toNetworkText(given);
  if (network === null) return null;
  return {
    scheme: readMember(entry, 'scheme'),
    network,
    caip2: isV1Name(network) || network.includes(':') ? toCaip2(network) : '',
    isNetworkText: typeof given === 'string',
    asset: readMember(entry, 'asset'),
    payTo: readMember(entry, 'payTo'),
    amount: readMember(entry, 'amount'),
    maxAmountRequired: readMember(entry, 'maxAmountRequired'),
    maxTimeoutSeconds: readMember(entry, 'maxTimeoutSeconds'),
    extra: readMember(entry, 'extra'),
  };
}

/**
 * Converts a network to text as the clients do. Returns null when the conversion throws, and empty text for a value
 * that is neither text nor a list.
 */
function toNetworkText(network: unknown): string | null {
  if (typeof network === 'string') return network;
  if (typeof network !== 'object' || network === null) return '';
  const text = listToText([network]);
  return text === null || Array.isArray(network) ? text : '';
}

/** Formats the reason why a client does not pay: the client cannot compare the amount of an option with its limit. */
export function explainUnreadable(amount: unknown): string {
  const fault = amount === undefined ? 'no amount' : 'an amount that is not a decimal number';
  return `An option has ${fault}, so clients stop with an error.`;
}

/** Option that a client selects and cannot sign. */
interface UnsignableOption {
  /** Names of the members that prevent signing, as in `payTo or asset`. */
  readonly member: string;
  readonly version: 1 | 2;
  /** Number of options in `accepts`. */
  readonly optionCount: number;
}

/**
 * Formats the reason why a client does not pay: the client cannot sign the selected option, and tries no second option.
 */
export function explainUnsignable({ member, version, optionCount }: UnsignableOption): string {
  const subject = optionCount === 1 ? 'The payment option' : 'The option that clients select';
  const name = version === 1 ? member.replace(/\bamount\b/, 'maxAmountRequired') : member;
  // A memo is optional, so the message on an unusable memo must not say that the option has no memo.
  const defect = name === 'extra.memo' ? 'an invalid extra.memo' : `no usable ${name}`;
  return `${subject} has ${defect}, so clients cannot sign a payment.`;
}

/**
 * Minimum number of seconds for which a payment must be valid when a facilitator verifies it. Source: @x402/evm 2.27
 * `verifyEIP3009`, `verifyPermit2` and `ExactEvmSchemeV1`; x402 1.2 `verify`.
 */
export const MIN_VALIDITY_SECONDS = 6n;
/** Number of whole tokens that is larger than the supply of every dollar token: one trillion. */
const IMPOSSIBLE_SUPPLY = 10n ** 12n;

/** Payment that a client signs for the option that it selects. */
export interface SignedPayment {
  readonly option: ClientOption;
  /** Amount as advertised, which the client can convert with `BigInt`. */
  readonly amount: unknown;
  /** `eip3009`: an authorization of the token contract. `permit2`: an authorization of the Permit2 contract. */
  readonly method: 'eip3009' | 'permit2' | 'solana';
  /** Seconds between signature and deadline; null on Solana, where payments have no deadline. */
  readonly validity: bigint | null;
}

/**
 * Returns the reason why a signed payment would fail, or would settle without reaching the seller; null when there is
 * no such reason. Reports only what is certain from the payment option and the token table. So null does not mean that
 * the payer has enough money, or that the seller's facilitator works.
 *
 * Facilitators verify the signature with the EIP-712 domain in `extra`, and then simulate the transfer. Source:
 * @x402/evm 2.27 `verifyEIP3009`, `simulateEip3009TransferResult`.
 */
export function findSettlementFailure(payment: SignedPayment): string | null {
  return findTokenFailure(payment) ?? findDeadlineFailure(payment) ?? findTransferFailure(payment);
}

/** Returns the reason why the token contract would reject the signature. */
function findTokenFailure({ option, method }: SignedPayment): string | null {
  const { caip2, asset } = option;
  if (typeof asset !== 'string') return null;
  const stray = findTokenOfOtherNetwork(caip2, asset);
  if (stray !== null)
    return `asset is the ${stray.symbol} address on ${stray.network}; ${quote(caip2)} has no such token.`;
  if (method !== 'eip3009') return null;
  const token = findToken(caip2, asset);
  if (token?.isPermit2Only === true)
    return `The client signs an EIP-3009 authorization, which ${token.symbol} on ${token.network} does not support.`;
  // Only version 1 clients sign without a domain. Source: @x402/evm 2.27 `ErrMissingEip712Domain`.
  const fault = findDomainFault(option.extra);
  if (fault !== null)
    return `${fault.name} is ${quote(fault.value)}${fault.value === undefined ? '' : '; the token contract expects a string'}, so facilitators reject the payment.`;
  if (hasOwnDomain(option, caip2)) return `${describeOwnDomain(option)}.`;
  const difference = token?.domain ? describeWrongDomain(option.extra, token.domain) : null;
  return difference === null ? null : `${difference}, so it rejects the payment.`;
}

function findDeadlineFailure({ option, validity }: SignedPayment): string | null {
  if (validity === null || validity >= MIN_VALIDITY_SECONDS) return null;
  return `maxTimeoutSeconds is ${quote(option.maxTimeoutSeconds)}, but facilitators reject payments that expire in less than ${String(MIN_VALIDITY_SECONDS)} seconds.`;
}

/** Returns the reason why the transfer would fail, or would go to an address without an owner. */
function findTransferFailure({ option, amount }: SignedPayment): string | null {
  const { caip2, asset, payTo } = option;
  if (typeof payTo !== 'string' || typeof asset !== 'string') return null;
  if (isBurnAddress(payTo)) return `payTo is ${quote(payTo)}, a burn address: the payment fails or is lost.`;
  if (isPayToToken(payTo, caip2, asset))
    return `payTo is ${quote(payTo)}, the token contract itself: the payment fails or is lost.`;
  return describeImpossibleAmount(caip2, asset, toClientInteger(amount, UINT256) ?? 0n);
}

/**
 * Returns a sentence on an amount that is larger than the supply of its token; null for a possible amount, and for an
 * unknown token. Rules use this function too.
 *
 * @param network CAIP-2 id
 * @param units amount in atomic units
 */
export function describeImpossibleAmount(network: string, asset: string, units: bigint): string | null {
  const token = findToken(network, asset);
  if (token === null || units < IMPOSSIBLE_SUPPLY * 10n ** BigInt(token.decimals)) return null;
  return `The amount of ${String(units)} atomic units is larger than the supply of ${token.symbol}, so no wallet can pay it.`;
}
