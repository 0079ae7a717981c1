import { isBurnAddress } from '../networks/address.ts';
import { quote } from '../json/clean-text.ts';
import { readMember } from '../json/read-member.ts';
import { describeWrongDomain, hasEip712Domain } from '../tokens/eip712-domain.ts';
import { findToken, findTokenOfOtherNetwork, isPayToToken } from '../tokens/tokens.ts';
import { toClientInteger, UINT256 } from './client-numbers.ts';
import type { ClientOption } from './client-option.ts';

/**
 * Minimum number of seconds for which a payment must be valid when a facilitator verifies it. Source: @x402/evm 2.27
 * `verifyEIP3009`, `verifyPermit2` and `ExactEvmSchemeV1`; x402 1.2 `verify`.
 */
const MIN_VALIDITY_SECONDS = 6n;
/** Number of whole tokens that is larger than the supply of every dollar token: one trillion. */
const IMPOSSIBLE_SUPPLY = 10n ** 12n;

/** Payment that a client signs for the option that it selects. */
export interface SignedPayment {
  readonly option: ClientOption;
  /** Amount as advertised. The client can sign it, so it is convertible with `BigInt`. */
  readonly amount: unknown;
  /** `eip3009`: an authorization of the token contract. `permit2`: an authorization of the Permit2 contract. */
  readonly method: 'eip3009' | 'permit2' | 'solana';
  /** Seconds between signature and deadline; null on Solana, where payments have no deadline. */
  readonly validity: bigint | null;
}

/**
 * Returns the reason why a signed payment would fail, or would settle without reaching the seller; null when there is no
 * such reason. Reports only what is certain from the payment option and the token table. So null does not mean that the
 * payer has enough money, or that the seller's facilitator works.
 *
 * Facilitators verify the signature with the EIP-712 domain in `extra`, and then simulate the transfer. Source: @x402/evm
 * 2.27 `verifyEIP3009`, `simulateEip3009TransferResult`.
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
  const extra = { name: readMember(option.extra, 'name'), version: readMember(option.extra, 'version') };
  // Source of the first reason: @x402/evm 2.27 `ErrMissingEip712Domain`. Only version 1 clients sign without a domain.
  if (!hasEip712Domain(extra))
    return 'extra lacks the name or version of the token, so facilitators and the token contract reject the signature.';
  const fault = token?.domain ? describeWrongDomain(extra, token.domain) : null;
  return fault === null ? null : `${fault}, so it rejects the payment.`;
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
  const token = findToken(caip2, asset);
  const units = toClientInteger(amount, UINT256) ?? 0n;
  if (token === null || units < IMPOSSIBLE_SUPPLY * 10n ** BigInt(token.decimals)) return null;
  return `The amount of ${String(units)} atomic units is larger than the supply of ${token.symbol}, so no wallet can pay it.`;
}
