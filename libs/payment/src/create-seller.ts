import { internalAnswer } from './answers.ts';
import { serve } from './serve.ts';
import { openShop } from './shop.ts';
import type { Seller, SellerOptions } from './types.ts';

/**
 * Sells operations by x402 version 2, scheme exact, for USDC by EIP-3009: one payment buys one result, however often,
 * by however many processes and through whatever interruption it is served. Nothing is asked of the facilitator before
 * the first payment, and challenges are given without it.
 *
 * @throws Error when nothing can be sold on the network
 */
export const createSeller = (options: SellerOptions): Seller => {
  const shop = openShop(options);
  return {
    sell: async (request, sale) => {
      try {
        return await serve(shop, request, sale);
      } catch (error) {
        shop.onTrouble('a paid request failed', error);
        // Where the database did not answer, an earlier request may have settled the same payment.
        return internalAnswer(!request.headers.has('payment-signature'));
      }
    },
  };
};
