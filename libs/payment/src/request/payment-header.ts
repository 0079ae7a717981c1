import { PAYMENT_HEADERS, RECEIPT_HEADERS } from '@touchstone/contract';
import { findNetwork } from '@touchstone/x402';
import { decodePaymentResponseHeader } from '@x402/core/http';

interface PaymentHeader {
  /** Version of x402 that defines the header. */
  readonly version: 'v1' | 'v2';
  readonly value: string;
  /** False if the request has other payment headers, whose payments may have been settled earlier. */
  readonly isOnly: boolean;
}

/**
 * Returns the header with the payment of a request; null for a request without a payment. An empty header is no payment.
 * A request with both headers pays with version 2.
 */
export function findPaymentHeader(headers: Headers): PaymentHeader | null {
  const [first, second] = (['v2', 'v1'] as const)
    .map((version) => ({ version, value: headers.get(PAYMENT_HEADERS[version]) ?? '' }))
    .filter(({ value }) => value !== '');
  // A repeated header has its values in one list.
  return first ? { ...first, isOnly: second === undefined && !first.value.includes(',') } : null;
}

/**
 * Renames the receipt of a response for a client of version 1, and writes its network as version 1 does. Receipts are
 * stored in the form of version 2, so a payment gets its receipt in the version of the present request.
 */
export function toVersion1Response(response: Response): Response {
  const receipt = response.headers.get(RECEIPT_HEADERS.v2);
  // A repeated result has an empty receipt if no receipt was stored.
  if (receipt === null || receipt === '') return response;
  response.headers.delete(RECEIPT_HEADERS.v2);
  response.headers.set(RECEIPT_HEADERS.v1, toReceiptV1(receipt));
  return response;
}

function toReceiptV1(receipt: string): string {
  // Version 1 receipts have no extensions.
  const { network, success, errorReason, transaction, payer } = decodePaymentResponseHeader(receipt);
  const settlement = {
    success,
    errorReason,
    transaction,
    network: findNetwork(network)?.v1Name ?? network,
    payer,
  };
  return Buffer.from(JSON.stringify(settlement)).toString('base64');
}
