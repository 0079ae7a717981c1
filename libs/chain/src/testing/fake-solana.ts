import { createHash } from 'node:crypto';
import { getAddressDecoder } from '@solana/addresses';

export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
export const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const FIRST_SECOND = 1_790_000_000;

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createWallet(name: string): string {
  return getAddressDecoder().decode(hash(name));
}
function toSignature(index: number): string {
  return `${createWallet(`first half ${index}`)}${createWallet(`second half ${index}`)}`;
}
export function toSlotTime(slot: number): number {
  return (FIRST_SECOND + Math.floor(slot * 0.4)) * 1_000;
}

export interface FakePayment {
  readonly slot: number;
  readonly payer: string;
  /** Token account that receives the payment. */
  readonly account: string;
  readonly owner: string;
  /** Token account of the payer; by default an account that no test reads. */
  readonly from?: string;
  readonly amount: bigint;
  readonly feePayer?: string;
  readonly failed?: boolean;
  readonly mint?: string;
}

/** Creates a Solana chain in memory with the methods that the settlement reader calls. */
export function createFakeSolana({ head }: { head: number }) {
  const state = { head, first: 0, page: 1_000 };
  const payments: FakePayment[] = [];
  const toError = (payment: FakePayment) =>
    payment.failed === true ? { InstructionError: [0, 'Custom'] } : null;
  const createBalance = (accountIndex: number, owner: string, amount: bigint) => ({
    accountIndex,
    owner,
    uiTokenAmount: { amount: amount.toString(), decimals: 6 },
  });
  const createTransaction = (payment: FakePayment, index: number) => {
    const { slot, payer, account, owner, amount, feePayer = payer, mint = USDC_MINT } = payment;
    const keys = [feePayer, payment.from ?? createWallet(`tokens of ${payer}`), account];
    return {
      slot,
      blockTime: toSlotTime(slot) / 1_000,
      transaction: {
        signatures: [toSignature(index)],
        message: { accountKeys: keys.map((pubkey) => ({ pubkey, signer: false })) },
      },
      meta: {
        err: toError(payment),
        // `preTokenBalances` lacks the payee's account, because the payment creates this account.
        preTokenBalances: [{ ...createBalance(1, payer, 10n ** 15n), mint }],
        postTokenBalances: [
          { ...createBalance(1, payer, 10n ** 15n - amount), mint },
          { ...createBalance(2, owner, amount), mint },
        ],
      },
    };
  };
  const listSignatures = (account: unknown, before: unknown) => {
    const signatures = payments
      .map((payment, index) => ({ payment, signature: toSignature(index) }))
      .filter(({ payment }) => [payment.account, payment.from].includes(String(account)))
      .filter(({ payment: { slot } }) => slot >= state.first)
      .sort((a, b) => b.payment.slot - a.payment.slot)
      .map(({ payment, signature }) => {
        const blockTime = toSlotTime(payment.slot) / 1_000;
        return { signature, slot: payment.slot, err: toError(payment), blockTime };
      });
    const start = signatures.findIndex(({ signature }) => signature === before) + 1;
    return signatures.slice(start, start + state.page);
  };

  const respond = (method: string, [first, options]: readonly unknown[]): unknown => {
    if (method === 'getGenesisHash') return GENESIS;
    if (method === 'getSlot') return state.head;
    if (method === 'getFirstAvailableBlock') return state.first;
    if (method === 'getBlockTime') return toSlotTime(Number(first)) / 1_000;
    if (method === 'getSignaturesForAddress') {
      // The cast is safe because the reader under test sends options in this format.
      return listSignatures(first, (options as { before?: string }).before);
    }
    if (method === 'getTransaction') {
      const index = payments.findIndex((_, at) => toSignature(at) === first);
      const payment = payments[index];
      return payment === undefined ? null : createTransaction(payment, index);
    }
    throw new Error(`unknown method ${method}`);
  };
  return { state, respond, pay: (...more: FakePayment[]) => void payments.push(...more) };
}
