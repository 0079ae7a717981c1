import { readFunds } from '@touchstone/chain';
import type { ClaimedPayment } from '@touchstone/store';
import { askChain } from './ask-chain.ts';
import type { PaidRequest } from './purchase.ts';
import type { Shop } from './shop.ts';

type OpenPayments = ClaimedPayment['openPayments'];

const sumOf = (open: OpenPayments): bigint => open.reduce((sum, { amount }) => sum + amount, 0n);

/** Nonces of rows are in lower case, as they were read. */
const hex = (text: string): `0x${string}` => text as `0x${string}`;

/**
 * Whether a payer has enough for a payment beside all others that it has open. Each of those was verified against the
 * same balance, so that any number of them would be worked for and one be settled.
 *
 * @param open what else was open when the payment was taken; of them, those that were settled since take nothing more
 * @throws ChainUnreadable when that cannot be told
 */
export const canAfford = async (
  { chain, till }: Pick<Shop, 'chain' | 'till'>,
  { authorization: { payer, amount } }: Pick<PaidRequest, 'authorization'>,
  open: OpenPayments,
): Promise<boolean> => {
  if (open.length === 0) return true;
  return askChain(chain, async (providers) => {
    const order = { asset: till.asset, payer };
    const { balance } = await readFunds(providers, { ...order, nonces: [] });
    if (balance >= sumOf(open) + amount) return true;
    const funds = await readFunds(providers, { ...order, nonces: open.map(({ nonce }) => hex(nonce)) });
    return funds.balance >= sumOf(open.filter(({ nonce }) => !funds.used.has(hex(nonce)))) + amount;
  });
};
