import { decodePaymentSignatureHeader, encodePaymentResponseHeader } from '@x402/core/http';
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { NETWORK, openSeller, type PaidRequest, respond, type Seller, SELLER_WALLET } from './seller.ts';

export interface PaidSellerOptions {
  readonly facilitatorUrl: string;
  /** Price in US dollars, such as `$0.005`. */
  readonly price: string;
  /** Creates the result that a payment buys. */
  readonly createProduct: (sale: PaidRequest) => unknown;
  /** Called after the settlement and before the response. If it returns true, the seller sends no response. */
  readonly interrupt?: (sale: PaidRequest) => boolean;
}

/** Starts a service that verifies and settles payments through a facilitator, and sells one result for each payment. */
export async function openPaidSeller({
  facilitatorUrl,
  price,
  createProduct,
  interrupt,
}: PaidSellerOptions): Promise<Seller> {
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl })).register(
    NETWORK,
    new ExactEvmScheme(),
  );
  await server.initialize();
  const [terms] = await server.buildPaymentRequirements({
    scheme: 'exact',
    network: NETWORK,
    price,
    payTo: SELLER_WALLET,
    maxTimeoutSeconds: 60,
  });
  if (terms === undefined) throw new Error('The facilitator does not support this payment');
  const sold = new Map<string, { readonly receipt: string; readonly body: unknown }>();
  return openSeller({
    challenge: (url) => ({
      x402Version: 2,
      resource: { url, description: 'Sold through a real facilitator', mimeType: 'application/json' },
      accepts: [terms],
    }),
    onPaid: async (sale) => {
      const { signature, response } = sale;
      let result = sold.get(signature);
      if (result === undefined) {
        const payment = decodePaymentSignatureHeader(signature);
        const verified = await server.verifyPayment(payment, terms);
        const settled = verified.isValid ? await server.settlePayment(payment, terms) : null;
        if (settled?.success !== true) {
          response.statusCode = 402;
          respond(
            response,
            {},
            {
              success: false,
              transaction: '',
              network: NETWORK,
              errorReason: verified.invalidReason ?? settled?.errorReason ?? 'unknown',
            },
          );
          return;
        }
        result = { receipt: encodePaymentResponseHeader(settled), body: createProduct(sale) };
        sold.set(signature, result);
      }
      if (interrupt?.(sale) === true) return;
      response.setHeader('payment-response', result.receipt);
      respond(response, result.body);
    },
  });
}
