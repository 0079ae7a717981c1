import { handleRequest } from './fulfilment/handle-request.ts';
import { respond } from './fulfilment/respond.ts';
import { openSellerContext } from './seller-context.ts';
import type { Seller, SellerOptions } from './types.ts';

/**
 * Creates a seller of operations by x402 version 2, scheme exact, for USDC by EIP-3009. One payment buys one result,
 * however often it is sent, by however many processes it is handled, and wherever a process dies. The facilitator gets
 * no request before the first payment, and challenges do not need it.
 *
 * @throws Error when the network has no suitable USDC, or `payTo` is not an address
 */
export const createSeller = (options: SellerOptions): Seller => {
  const context = openSellerContext(options);
  return {
    respond: async (request, paidOperation) => {
      try {
        return await handleRequest(context, request, paidOperation);
      } catch (error) {
        context.onError('a paid request failed', error);
        // Without the database, an earlier request may have settled the same payment.
        return respond('internal', {}, request.headers.has('payment-signature') ? 'unknown' : 'absent');
      }
    },
  };
};
