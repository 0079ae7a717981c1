import { PAYMENT_VALIDITY_SECONDS } from '../challenge/payment-validity.ts';
import type { PaymentRequired } from '../responses/payment-required.ts';

/** Short example of an x402 challenge. The OpenAPI document has the complete challenge of each operation. */
export const PAYMENT_REQUIRED_EXAMPLE: PaymentRequired = {
  x402Version: 2,
  error: 'Payment required',
  resource: {
    url: 'https://touchstone.example/v1/x402-trust',
    description: 'Trust report on one x402 endpoint.',
    mimeType: 'application/json',
  },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '5000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: PAYMENT_VALIDITY_SECONDS,
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
};
