import { readFunds } from '@touchstone/chain';
import type { ClaimedPayment } from '@touchstone/store';
import type { SellerContext } from '../seller-context.ts';
import type { ClaimedRequest } from './paid-request.ts';
import { queryChain } from './query-chain.ts';

type OpenPayments = ClaimedPayment['openPayments'];

const sumAmounts = (open: OpenPayments): bigint => open.reduce((sum, { amount }) => sum + amount, 0n);

/** Narrows a nonce of a row, which was validated as lower-case hex before it was stored. */
const toHex = (text: string): `0x${string}` => text as `0x${string}`;

/**
 * Tells whether the balance of a payer covers a payment and all its other open payments. Each of those was verified
 * against the same balance alone: without this check the work would be done for all of them, and one would be settled.
 *
 * @param open payments that were open when this one was claimed; those settled since need no balance any more
 * @throws ChainUnreadableError when the balance cannot be read
 */
export const canAfford = async (
  { chain, gateway }: Pick<SellerContext, 'chain' | 'gateway'>,
  { authorization: { payer, amount } }: Pick<ClaimedRequest, 'authorization'>,
  open: OpenPayments,
): Promise<boolean> => {
  if (open.length === 0) return true;
  return queryChain(chain, async (providers) => {
    const query = { asset: gateway.asset, payer };
    const { balance } = await readFunds(providers, { ...query, nonces: [] });
    if (balance >= sumAmounts(open) + amount) return true;
    const nonces = open.map(({ nonce }) => toHex(nonce));
    const funds = await readFunds(providers, { ...query, nonces });
    const unsettled = open.filter(({ nonce }) => !funds.usedNonces.has(toHex(nonce)));
    return funds.balance >= sumAmounts(unsettled) + amount;
  });
};
