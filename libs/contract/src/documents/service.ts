/** Version of the interface, as in the OpenAPI document. */
export const INTERFACE_VERSION = '2.0.0';

/** Texts about the service as a whole. */
export const SERVICE = {
  name: 'Touchstone',
  summary: 'Trust and reliability of x402 endpoints',
  description:
    'Touchstone probes x402 endpoints around the clock and reports how reliable they are before you pay them.',
  license: 'MIT',
} as const;

/** Recipient and token of payments. */
export interface PaymentTerms {
  /** CAIP-2 id of the network. */
  readonly network: string;
  /** Address that receives payments. */
  readonly payTo: string;
  /** Address of the token, which is the network's USDC. */
  readonly asset: string;
}

export interface PaymentStatus {
  /** False when the operator has configured no wallet or no RPC provider; default true. */
  readonly arePaymentsEnabled?: boolean;
}

/** Note in the documents of a service that takes no payments. */
export const PAYMENTS_DISABLED =
  'Paid operations are disabled on this service: they respond with 503, `payment-unavailable`, and take no payment.';

/** Paths of the documents of the service. */
export const DOCUMENT_PATHS = {
  openApi: '/openapi.json',
  llms: '/llms.txt',
  wellKnown: '/.well-known/x402',
  reference: '/docs',
  methodology: '/methodology',
} as const;
