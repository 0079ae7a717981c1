import { slotSchema, transactionSchema } from './read-signatures.ts';
import type { PaymentStatusReading } from '../authorization/read-payment-status.ts';
import type { Provider } from '../rpc/provider.ts';
import { checkGenesis, computeChanges, findPayer, TRANSACTION_OPTIONS } from './read-solana-settlements.ts';

/** Transaction whose payments are read. */
interface SolanaPaymentQuery {
  /** CAIP-2 id. */
  readonly network: string;
  readonly transaction: string;
  /** Payer whose payments are returned; null for every payer. */
  readonly payer: string | null;
  /** Token (mint). */
  readonly asset: string;
}

/**
 * Reads the payments of a Solana transaction, one for each receiving token account. The payer is the owner whose balance
 * decreased most, and signed the transaction itself.
 */
export async function readSolanaPayment(
  provider: Provider,
  { network, transaction, payer, asset }: SolanaPaymentQuery,
): Promise<PaymentStatusReading> {
  await checkGenesis(provider, network);
  const options = { ...TRANSACTION_OPTIONS, commitment: 'confirmed' };
  const found = await provider.call('getTransaction', [transaction, options], transactionSchema);
  const createUnknown = (
    reason: 'absent' | 'reverted' | 'no-payment',
    block: PaymentStatusReading['block'],
  ) => ({ state: 'unknown', reason, block, payments: [] }) as const;
  if (found?.transaction.signatures[0] !== transaction || found.blockTime === null)
    return createUnknown('absent', null);
  const finalized = await provider.call('getSlot', [{ commitment: 'finalized' }], slotSchema);
  const at = found.blockTime * 1_000;
  const { slot } = found;
  const block = { block: slot, at, confirmations: Math.max(0, finalized - slot) };
  if (found.meta.err !== null) return createUnknown('reverted', block);
  const changes = computeChanges(found, asset);
  const from = findPayer(changes);
  const [sender] = found.transaction.message.accountKeys;
  if (from === null || sender === undefined || (payer !== null && payer !== from))
    return createUnknown('no-payment', block);
  const facts = { kind: 'transaction', nonce: null, transaction, sender: sender.pubkey, asset, at } as const;
  const payments = [...changes.values()].flatMap(({ owner: payTo, change: amount }) =>
    amount > 0n && payTo !== undefined ? [{ ...facts, payer: from, payTo, amount }] : [],
  );
  if (payments.length === 0) return createUnknown('no-payment', block);
  return { state: 'settled', reason: finalized < slot ? 'unconfirmed' : 'confirmed', block, payments };
}
