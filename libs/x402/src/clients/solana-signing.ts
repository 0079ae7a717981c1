import { isBase58Address } from '../networks/address.ts';
import { toClientInteger, UINT64 } from './client-numbers.ts';
import { listToText } from '../json/read-member.ts';

const MAX_MEMO_BYTES = 256;
/** Maximum memo length that is encoded, in UTF-16 units. A longer memo always exceeds `MAX_MEMO_BYTES`. */
const MAX_MEMO_LENGTH = 1_024;

/** Option values that a Solana wallet signs. In version 1, `amount` is the member `maxAmountRequired`. */
export interface SolanaTransfer {
  readonly payTo: unknown;
  readonly asset: unknown;
  readonly amount: unknown;
  readonly feePayer: unknown;
}

/**
 * Returns the first member with a value for which the clients cannot build and sign a token transfer; null when there
 * is none. Assumes that the mint exists and that the RPC server responds.
 * Source: @x402/svm `ExactSvmScheme`, x402 1.2 `createTransferTransactionMessage`.
 */
export function findUnsignableSolanaMember({
  payTo,
  asset,
  amount,
  feePayer,
}: SolanaTransfer): string | null {
  if (!isBase58Address(payTo)) return 'payTo';
  if (!isBase58Address(asset)) return 'asset';
  if (!isFeePayer(feePayer)) return 'extra.feePayer';
  return toClientInteger(amount, UINT64) === null ? 'amount' : null;
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
