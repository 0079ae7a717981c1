import { isEvmAddress } from '../networks/address.ts';
import { isClientInteger, UINT256 } from './client-numbers.ts';
import { readMember, listToText } from '../json/read-member.ts';

/** What an EVM wallet signs: the values under the names of the version that is paid. */
export interface EvmTransfer {
  readonly payTo: unknown;
  readonly asset: unknown;
  readonly amount: unknown;
}

/** The member over which the clients' hashing would throw, null when none. Source: viem `hashTypedData`. */
export function findUnsignableEvmMember({ payTo, asset, amount }: EvmTransfer): string | null {
  if (!isEvmAddress(payTo)) return 'payTo';
  if (!isEvmAddress(asset)) return 'asset';
  return isClientInteger(amount, UINT256) ? null : 'amount';
}

/**
 * True when the version 2 client finds an EIP-712 domain in `extra`: it asks for a name and a version that are
 * not empty, and hashes them whatever they are. Source: @x402/evm `createEIP3009Payload`.
 */
export function hasSignableDomain(extra: unknown): boolean {
  const [name, version] = [readMember(extra, 'name'), readMember(extra, 'version')];
  return Boolean(name) && Boolean(version) && isHashable(name) && isHashable(version);
}

/** True when a value of a domain can be hashed; an absent one is left out. Source: viem `encodeField`, `toHex`. */
export function isHashable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  return !Array.isArray(value) || value.every((item) => listToText([item]) !== null);
}
