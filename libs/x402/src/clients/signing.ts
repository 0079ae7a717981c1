import { isEvmAddress, isBase58Address } from '../networks/address.ts';
import { readMember, listToText } from '../json/untrusted-json.ts';

/**
 * Time from which payment deadlines are computed, in seconds since the epoch. The time is fixed, because this package
 * has no clock, and the current time would give the same results.
 */
const NOW_SECONDS = 1_800_000_000;
/**
 * Maximum length of a number written as text, in UTF-16 units. A 256-bit number needs at most 258 units (binary
 * notation).
 */
const MAX_NUMBER_LENGTH = 1_000;

/** Smallest number that needs more than 256 bits. */
export const UINT256 = 1n << 256n;
/** Smallest number that needs more than 64 bits. */
const UINT64 = 1n << 64n;

/**
 * Converts an amount as the clients do, with `BigInt(value)`, which accepts numbers, hexadecimal text, digits between
 * spaces, and empty text as zero.
 *
 * @param limit smallest amount that is too large to sign
 * @returns null when the conversion throws, when the amount is negative, and when the amount is not below the limit
 */
export function toClientInteger(value: unknown, limit: bigint): bigint | null {
  if (typeof value === 'string' && value.length > MAX_NUMBER_LENGTH) return null;
  try {
    // Like the clients, passes a value of any type to BigInt. A type check would reject values that the clients accept.
    const amount = BigInt(value as string);
    return amount >= 0n && amount < limit ? amount : null;
  } catch {
    return null;
  }
}

/**
 * Returns the number of seconds for which a payment of the version 2 client is valid; null when the client cannot sign
 * the deadline. The client adds the timeout to the current time with the operator `+`, so a timeout given as text is
 * appended to the digits of the time.
 */
export function computeV2Validity(maxTimeoutSeconds: unknown): bigint | null {
  if (typeof maxTimeoutSeconds === 'string' && maxTimeoutSeconds.length > MAX_NUMBER_LENGTH) return null;
  try {
    const deadline = NOW_SECONDS + (maxTimeoutSeconds as number);
    return toValidity(deadline.toString());
  } catch {
    return null;
  }
}

/**
 * Returns the number of seconds for which a payment of the version 1 client is valid; null when the client cannot sign
 * the deadline. The timeout must be a number.
 */
export function computeV1Validity(maxTimeoutSeconds: unknown): bigint | null {
  return typeof maxTimeoutSeconds === 'number'
    ? toValidity(Math.floor(NOW_SECONDS + maxTimeoutSeconds))
    : null;
}

function toValidity(deadline: unknown): bigint | null {
  const seconds = toClientInteger(deadline, UINT256);
  return seconds === null ? null : seconds - BigInt(NOW_SECONDS);
}

/**
 * Returns true when the version 1 client can encode a value in its payment. The client encodes JSON text with `btoa`,
 * which supports only Latin-1 characters. Source: x402 1.2, `safeBase64Encode`.
 */
export function isEncodableByV1(value: unknown): boolean {
  try {
    return !/[^\x00-\xff]/.test(JSON.stringify([value]));
  } catch {
    // JSON.stringify throws for values that are nested too deeply.
    return false;
  }
}

/** Option values that an EVM wallet signs. In version 1, `amount` is the member `maxAmountRequired`. */
interface EvmTransfer {
  readonly payTo: unknown;
  readonly asset: unknown;
  readonly amount: unknown;
}

/**
 * Names the members with values that viem cannot hash for signing; null when viem can hash every member. Source: viem
 * `hashTypedData`.
 */
export function findUnsignableEvmMember({ payTo, asset, amount }: EvmTransfer): string | null {
  return joinMembers([
    ...(isEvmAddress(payTo) ? [] : ['payTo']),
    ...(isEvmAddress(asset) ? [] : ['asset']),
    ...(toClientInteger(amount, UINT256) === null ? ['amount'] : []),
  ]);
}

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Joins names of members, as in `payTo or asset`. Returns null for an empty list. */
function joinMembers(names: readonly string[]): string | null {
  return names.length === 0 ? null : EITHER.format(names);
}

/** Member of `extra` with an invalid name or version of the EIP-712 domain. */
interface DomainFault {
  /** Name of the member in a message: `extra` itself if it is not an object. */
  readonly name: 'extra' | 'extra.name' | 'extra.version';
  readonly value: unknown;
  /** True when the version 2 client signs with the value. The token contract rejects this payment. */
  readonly isSignable: boolean;
}

/**
 * Returns the faults of the EIP-712 domain in `extra`; none when name and version are strings that are not empty. The
 * version 2 client requires both, and signs with values of most other types. Source: @x402/evm `createEIP3009Payload`.
 */
export function listDomainFaults(extra: unknown): readonly DomainFault[] {
  if (extra === undefined || extra === null || Array.isArray(extra) || typeof extra !== 'object')
    return [{ name: 'extra', value: extra, isSignable: false }];
  return (['name', 'version'] as const).flatMap((key): DomainFault[] => {
    const value = readMember(extra, key);
    if (typeof value === 'string' && value !== '') return [];
    return [{ name: `extra.${key}`, value, isSignable: Boolean(value) && isHashable(value) }];
  });
}

/** Returns the fault of `listDomainFaults` with the worst effect; null when there is none. */
export function findDomainFault(extra: unknown): DomainFault | null {
  const faults = listDomainFaults(extra);
  return faults.find(({ isSignable }) => !isSignable) ?? faults[0] ?? null;
}

/**
 * Returns true when viem can hash a value of an EIP-712 domain. viem leaves out an absent
 * value. Source: viem `encodeField`, `toHex`.
 */
export function isHashable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  return !Array.isArray(value) || value.every((item) => listToText([item]) !== null);
}

const MAX_MEMO_BYTES = 256;
/** Maximum memo length that is encoded, in UTF-16 units. A longer memo always exceeds `MAX_MEMO_BYTES`. */
const MAX_MEMO_LENGTH = 1_024;

/** Option values that a Solana wallet signs. In version 1, `amount` is the member `maxAmountRequired`. */
interface SolanaTransfer {
  readonly payTo: unknown;
  readonly asset: unknown;
  readonly amount: unknown;
  readonly feePayer: unknown;
}

/**
 * Names the members whose values prevent the clients from building or signing a token transfer; null when there is no
 * such member. Assumes that the mint exists and that the RPC server responds. Source: @x402/svm `ExactSvmScheme`,
 * x402 1.2 `createTransferTransactionMessage`.
 */
export function findUnsignableSolanaMember({
  payTo,
  asset,
  amount,
  feePayer,
}: SolanaTransfer): string | null {
  return joinMembers([
    ...(isBase58Address(payTo) ? [] : ['payTo']),
    ...(isBase58Address(asset) ? [] : ['asset']),
    ...(isFeePayer(feePayer) ? [] : ['extra.feePayer']),
    ...(toClientInteger(amount, UINT64) === null ? ['amount'] : []),
  ]);
}

/**
 * Returns true for an address or a list with one address. The clients convert such a list to text when they encode it.
 */
function isFeePayer(value: unknown): boolean {
  return isBase58Address(Array.isArray(value) ? listToText(value) : value);
}

/**
 * Returns true when the version 2 client can add the seller's memo to a Solana transfer. Source: @x402/svm
 * `ExactSvmScheme`.
 */
export function isAttachableMemo(memo: unknown): boolean {
  if (!memo) return true;
  // The client converts the memo to text before it encodes the memo. A list becomes the text of its items.
  const text = listToText([memo]);
  return (
    text !== null && text.length <= MAX_MEMO_LENGTH && new TextEncoder().encode(text).length <= MAX_MEMO_BYTES
  );
}
