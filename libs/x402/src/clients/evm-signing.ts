import { isEvmAddress } from '../networks/address.ts';
import { toClientInteger, UINT256 } from './client-numbers.ts';
import { readMember, listToText } from '../json/read-member.ts';

/** Option values that an EVM wallet signs. In version 1, `amount` is the member `maxAmountRequired`. */
export interface EvmTransfer {
  readonly payTo: unknown;
  readonly asset: unknown;
  readonly amount: unknown;
}

/**
 * Returns the first member with a value that viem cannot hash for signing; null when there is none. Source: viem
 * `hashTypedData`.
 */
export function findUnsignableEvmMember({ payTo, asset, amount }: EvmTransfer): string | null {
  if (!isEvmAddress(payTo)) return 'payTo';
  if (!isEvmAddress(asset)) return 'asset';
  return toClientInteger(amount, UINT256) === null ? 'amount' : null;
}

/**
 * Returns true when the version 2 client can sign with the EIP-712 domain in `extra`. The client requires a name and a
 * version that are not empty. They may be of types other than text. Source: @x402/evm `createEIP3009Payload`.
 */
export function hasSignableDomain(extra: unknown): boolean {
  const [name, version] = [readMember(extra, 'name'), readMember(extra, 'version')];
  return Boolean(name) && Boolean(version) && isHashable(name) && isHashable(version);
}

/**
 * Returns true when viem can hash a value of an EIP-712 domain. An absent value is no problem, because viem leaves it
 * out. Source: viem `encodeField`, `toHex`.
 */
export function isHashable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  return !Array.isArray(value) || value.every((item) => listToText([item]) !== null);
}
