import { handleRequest } from './fulfilment/handle-request.ts';
import { toUnreadState } from './fulfilment/not-charged.ts';
import { respondUnclaimed } from './fulfilment/respond.ts';
import { openSellerContext } from './seller-context.ts';
import type { Seller, SellerOptions } from './types.ts';

/**
 * Creates a seller that charges for operations with x402 version 2: scheme `exact`, USDC, EIP-3009 authorizations. One
 * payment buys one result, even if the payment is sent several times, is handled by several processes, or a process
 * dies. The facilitator is called only for payments, and neither at the start nor for challenges.
 *
 * @throws Error when the network has no suitable USDC, or `payTo` is not an address
 */
export const createSeller = (options: SellerOptions): Seller => {
  const context = openSellerContext(options);
  return {
    respond: async (request, paidOperation, { client = '' } = {}) => {
      try {
        return await handleRequest(context, request, { paidOperation, client });
      } catch (error) {
        context.onError('a paid request failed', error);
        return respondUnclaimed(
          'request-failed',
          {},
          toUnreadState(request.headers.get('payment-signature')),
        );
      }
    },
  };
};
