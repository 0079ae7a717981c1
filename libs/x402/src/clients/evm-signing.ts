import { isEvmAddress } from '../networks/address.ts';
import { isClientInteger, UINT256 } from './client-numbers.ts';
import { readMember, listToText } from '../json/read-member.ts';

/** Values an EVM wallet signs, read under the member names of the protocol version that is paid. */
export interface EvmTransfer {
  readonly payTo: unknown;
  readonly asset: unknown;
  readonly amount: unknown;
}

/** Returns the member that makes the clients' hashing throw; null when none does. Source: viem `hashTypedData`. */
export function findUnsignableEvmMember({ payTo, asset, amount }: EvmTransfer): string | null {
  if (!isEvmAddress(payTo)) return 'payTo';
  if (!isEvmAddress(asset)) return 'asset';
  return isClientInteger(amount, UINT256) ? null : 'amount';
}

/**
 * Returns true when the version 2 client can sign with the EIP-712 domain in `extra`. It requires a name and a version
 * that are not empty, and hashes values of any type. Source: @x402/evm `createEIP3009Payload`.
 */
export function hasSignableDomain(extra: unknown): boolean {
  const [name, version] = [readMember(extra, 'name'), readMember(extra, 'version')];
  return Boolean(name) && Boolean(version) && isHashable(name) && isHashable(version);
}

/**
 * Returns true when a value of an EIP-712 domain can be hashed. Absent values are left out. Source: viem
 * `encodeField`, `toHex`.
 */
export function isHashable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  return !Array.isArray(value) || value.every((item) => listToText([item]) !== null);
}
