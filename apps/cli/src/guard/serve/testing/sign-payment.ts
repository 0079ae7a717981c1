import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { NETWORK } from '../../../testing/seller.ts';

/**
 * Signs a payment with a published test key, as an x402 library of another language does.
 *
 * @param challenge value of the header PAYMENT-REQUIRED
 * @returns value of the header PAYMENT-SIGNATURE
 */
export async function signPayment(challenge: string): Promise<string> {
  const account = privateKeyToAccount(`0x${'01'.repeat(32)}`);
  const client = new x402HTTPClient(new x402Client().register(NETWORK, new ExactEvmScheme(account)));
  const required = client.getPaymentRequiredResponse(() => challenge);
  const payment = await client.createPaymentPayload(required);
  return client.encodePaymentSignatureHeader(payment)['PAYMENT-SIGNATURE'] ?? '';
}
