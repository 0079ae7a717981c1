import { getNamespace } from '../../networks/address.ts';
import type { EntryFields } from '../../challenge/accepts-entry.ts';

/** Format of a CAIP-2 network id. */
const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/;

/**
 * Format of network ids by CAIP-2 namespace: a chain id for eip155, the start of a genesis hash for solana. Source:
 * CAIP-2 profiles.
 */
const NAMESPACE_PROFILES = new Map([
  ['eip155', /^eip155:[0-9]{1,32}$/],
  ['solana', /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/],
]);

/** Schemes that have a specification and a reference client. Source: x402 v2 specification, folder `schemes`. */
const KNOWN_SCHEMES = new Set<unknown>(['exact', 'upto', 'batch-settlement', 'auth-capture']);

/** Schemes whose clients sign with the EIP-712 domain of the token. Source: @x402/evm 2.27. */
const EIP3009_SCHEMES = new Set<unknown>(['exact', 'batch-settlement', 'auth-capture']);

/** Returns true for a well-formed CAIP-2 id that also matches the profile of its namespace. */
export function isCaip2(network: unknown): network is string {
  return typeof network === 'string' && CAIP2.test(network) && !violatesNamespaceProfile(network);
}

/** Returns true for a network id with the namespace eip155 or solana but the wrong format, such as `eip155:base`. */
export function violatesNamespaceProfile(network: unknown): boolean {
  if (typeof network !== 'string') return false;
  return NAMESPACE_PROFILES.get(getNamespace(network))?.test(network) === false;
}

/** Returns true for a scheme that the specification defines and the reference clients support. */
export function isKnownScheme(scheme: unknown): boolean {
  return KNOWN_SCHEMES.has(scheme);
}

/** Returns true for a version 2 option on an EVM network. */
export function isOnEvm({ network }: EntryFields): boolean {
  return typeof network === 'string' && network.startsWith('eip155:');
}

/**
 * Returns `extra.assetTransferMethod` of an option. Returns null when it is missing, so that clients use their default.
 */
export function getTransferMethod({ extra }: EntryFields): unknown {
  return extra?.assetTransferMethod ?? null;
}

/**
 * Returns true for a version 2 option that is paid by an EIP-3009 authorization, which is signed with the EIP-712
 * domain of the token.
 */
export function isPaidByEip3009(fields: EntryFields): boolean {
  const method = getTransferMethod(fields);
  return EIP3009_SCHEMES.has(fields.scheme) && isOnEvm(fields) && (method === null || method === 'eip3009');
}
