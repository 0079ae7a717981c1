import { readFunds } from '@touchstone/chain';
import type { ClaimedPayment } from '@touchstone/store';
import type { SellerContext } from '../seller-context.ts';
import type { ClaimedRequest } from './paid-request.ts';
import { queryChain } from './query-chain.ts';

type OpenPayments = ClaimedPayment['openPayments'];

const sumAmounts = (open: OpenPayments): bigint => open.reduce((sum, { amount }) => sum + amount, 0n);

/**
 * Narrows the type of a stored nonce. It needs no check, because nonces are validated as lower-case hex before they are
 * stored.
 */
const toHex = (text: string): `0x${string}` => text as `0x${string}`;

/**
 * Returns true if the payer's balance covers this payment and all other open payments of the same payer. The
 * facilitator verified each payment against the same balance. Without this check, the work would be done for all these
 * payments, although the balance may cover only one of them.
 *
 * @param open other payments of the payer that were open when this payment was claimed
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
