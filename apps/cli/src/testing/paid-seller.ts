import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server';
import { encodePaymentResponseHeader, decodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { answer, NETWORK, openSeller, SELLER_WALLET, type Sale, type Seller } from './seller.ts';

export interface PaidSellerOptions {
  readonly facilitatorUrl: string;
  /** US dollars by path, such as `$0.005`. */
  readonly price: string;
  /** What is sold. */
  readonly ware: (sale: Sale) => unknown;
  /** Called between settlement and answer; true where it takes the answer over. */
  readonly interrupt?: (sale: Sale) => boolean;
}

/** A service that really charges: it verifies and settles through a facilitator, and sells a result once a payment. */
export async function openPaidSeller({
  facilitatorUrl,
  price,
  ware,
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
  if (terms === undefined) throw new Error('the facilitator takes no such payment');
  const sold = new Map<string, { readonly receipt: string; readonly result: unknown }>();
  return openSeller({
    challenge: (url) => ({
      x402Version: 2,
      resource: { url, description: 'Sold through a real facilitator', mimeType: 'application/json' },
      accepts: [terms],
    }),
    onPaid: async (sale) => {
      const { signature, response } = sale;
      let one = sold.get(signature);
      if (one === undefined) {
        const payment = decodePaymentSignatureHeader(signature);
        const verified = await server.verifyPayment(payment, terms);
        const settled = verified.isValid ? await server.settlePayment(payment, terms) : null;
        if (settled?.success !== true) {
          response.statusCode = 402;
          answer(
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
        one = { receipt: encodePaymentResponseHeader(settled), result: ware(sale) };
        sold.set(signature, one);
      }
      if (interrupt?.(sale) === true) return;
      response.setHeader('payment-response', one.receipt);
      answer(response, one.result);
    },
  });
}
