import { isBase58Address } from '../networks/address.ts';
import { isClientInteger, UINT64 } from './client-numbers.ts';
import { listToText } from '../json/read-member.ts';

const MAX_MEMO_BYTES = 256;
/** Longer texts than this are over the limit of bytes in any encoding, and need not be encoded to know it. */
const MAX_MEMO_LENGTH = 1_024;

/** What a Solana wallet signs: the values under the names of the version that is paid. */
export interface SolanaTransfer {
  readonly payTo: unknown;
  readonly asset: unknown;
  readonly amount: unknown;
  readonly feePayer: unknown;
}

/**
 * The member for which a transfer of a token cannot be built and signed, given that the mint exists and the chain
 * answers; null when none. Source: @x402/svm `ExactSvmScheme`, x402 1.2 `createTransferTransactionMessage`.
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
  return isClientInteger(amount, UINT64) ? null : 'amount';
}

/** Neither client looks at the fee payer before it is encoded, so a list with the address in it will do. */
function isFeePayer(value: unknown): boolean {
  return isBase58Address(Array.isArray(value) ? listToText(value) : value);
}

/** True when the version 2 client can attach the seller's memo. Source: @x402/svm `ExactSvmScheme`. */
export function isAttachableMemo(memo: unknown): boolean {
  if (!memo) return true;
  // Encoded as the text it turns into, which for a list is that of its items.
  const text = listToText([memo]);
  return (
    text !== null && text.length <= MAX_MEMO_LENGTH && new TextEncoder().encode(text).length <= MAX_MEMO_BYTES
  );
}
