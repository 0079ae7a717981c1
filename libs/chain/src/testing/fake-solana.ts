import { createHash } from 'node:crypto';
import { getAddressDecoder } from '@solana/addresses';

export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
export const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const FIRST_SECOND = 1_790_000_000;

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A wallet of its own for every name. */
export function createWallet(name: string): string {
  return getAddressDecoder().decode(hash(name));
}
function signatureOf(index: number): string {
  return `${createWallet(`first half ${index}`)}${createWallet(`second half ${index}`)}`;
}
export function toSlotTime(slot: number): number {
  return (FIRST_SECOND + Math.floor(slot * 0.4)) * 1_000;
}

export interface FakePayment {
  readonly slot: number;
  readonly payer: string;
  /** Token account that is paid. */
  readonly account: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly feePayer?: string;
  readonly failed?: boolean;
  readonly mint?: string;
}

/** Solana in memory, as far as the reader of settlements asks for it. */
export function createFakeSolana({ head }: { head: number }) {
  const state = { head, first: 0, page: 1_000 };
  const payments: FakePayment[] = [];
  const err = (payment: FakePayment) =>
    payment.failed === true ? { InstructionError: [0, 'Custom'] } : null;
  const balance = (accountIndex: number, owner: string, amount: bigint) => ({
    accountIndex,
    owner,
    uiTokenAmount: { amount: amount.toString(), decimals: 6 },
  });
  const transactionOf = (payment: FakePayment, index: number) => {
    const { slot, payer, account, owner, amount, feePayer = payer, mint = USDC_MINT } = payment;
    const keys = [feePayer, createWallet(`tokens of ${payer}`), account];
    return {
      slot,
      blockTime: toSlotTime(slot) / 1_000,
      transaction: {
        signatures: [signatureOf(index)],
        message: { accountKeys: keys.map((pubkey) => ({ pubkey, signer: false })) },
      },
      meta: {
        err: err(payment),
        // The account that is paid is made by the first payment, so it has no balance before.
        preTokenBalances: [{ ...balance(1, payer, 10n ** 15n), mint }],
        postTokenBalances: [
          { ...balance(1, payer, 10n ** 15n - amount), mint },
          { ...balance(2, owner, amount), mint },
        ],
      },
    };
  };
  const signaturesOf = (account: unknown, before: unknown) => {
    const mine = payments
      .map((payment, index) => ({ payment, signature: signatureOf(index) }))
      .filter(({ payment: { account: paid, slot } }) => paid === account && slot >= state.first)
      .sort((a, b) => b.payment.slot - a.payment.slot)
      .map(({ payment, signature }) => {
        const blockTime = toSlotTime(payment.slot) / 1_000;
        return { signature, slot: payment.slot, err: err(payment), blockTime };
      });
    const start = mine.findIndex(({ signature }) => signature === before) + 1;
    return mine.slice(start, start + state.page);
  };

  const answer = (method: string, [first, options]: readonly unknown[]): unknown => {
    if (method === 'getGenesisHash') return GENESIS;
    if (method === 'getSlot') return state.head;
    if (method === 'getFirstAvailableBlock') return state.first;
    if (method === 'getBlockTime') return toSlotTime(Number(first)) / 1_000;
    if (method === 'getSignaturesForAddress') {
      // The options are what the reader under test sends.
      return signaturesOf(first, (options as { before?: string }).before);
    }
    if (method === 'getTransaction') {
      const index = payments.findIndex((_, at) => signatureOf(at) === first);
      const payment = payments[index];
      return payment === undefined ? null : transactionOf(payment, index);
    }
    throw new Error(`unknown method ${method}`);
  };
  return { state, answer, pay: (...more: FakePayment[]) => void payments.push(...more) };
}
