import { isBase58Address } from '../networks/address.ts';
import { isClientInteger, UINT64 } from './client-numbers.ts';
import { listToText } from '../json/read-member.ts';

const MAX_MEMO_BYTES = 256;
/** Text beyond this length exceeds `MAX_MEMO_BYTES` in any encoding, so it is not encoded. */
const MAX_MEMO_LENGTH = 1_024;

/** Values a Solana wallet signs, read under the member names of the protocol version that is paid. */
export interface SolanaTransfer {
  readonly payTo: unknown;
  readonly asset: unknown;
  readonly amount: unknown;
  readonly feePayer: unknown;
}

/**
 * Returns the member that prevents building and signing a token transfer; null when none does. Assumes that the mint
 * exists and that the RPC node responds. Source: @x402/svm `ExactSvmScheme`, x402 1.2
 * `createTransferTransactionMessage`.
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

/** Neither client validates the fee payer before encoding it, so a list that contains the address works too. */
function isFeePayer(value: unknown): boolean {
  return isBase58Address(Array.isArray(value) ? listToText(value) : value);
}

/** Returns true when the version 2 client can attach the seller's memo. Source: @x402/svm `ExactSvmScheme`. */
export function isAttachableMemo(memo: unknown): boolean {
  if (!memo) return true;
  // The client encodes the text conversion of the memo; for a list, that is the text of its items.
  const text = listToText([memo]);
  return (
    text !== null && text.length <= MAX_MEMO_LENGTH && new TextEncoder().encode(text).length <= MAX_MEMO_BYTES
  );
}
