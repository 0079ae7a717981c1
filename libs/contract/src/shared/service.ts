// This file does not import zod, so that scripts of pages can import it without zod.

/** Version of the API, as in the OpenAPI document. */
export const INTERFACE_VERSION = '2.0.0';

/** Texts that describe the service as a whole. */
export const SERVICE = {
  name: 'Touchstone',
  summary: 'Trust and reliability of x402 endpoints',
  description:
    'Touchstone probes x402 endpoints around the clock and reports how reliable they are before you pay them.',
  license: 'MIT',
} as const;

/** Network, recipient and token of all payments to this service. */
export interface PaymentTerms {
  /** CAIP-2 id of the payment network. */
  readonly network: string;
  /** Address of the wallet that receives payments. */
  readonly payTo: string;
  /** Address of the payment token: USDC on the payment network. */
  readonly asset: string;
}

export interface PaymentStatus {
  /** False when the operator has configured no wallet or no RPC provider. The default is true. */
  readonly arePaymentsEnabled?: boolean;
}

/** Note that the generated documents contain if the service takes no payments. */
export const PAYMENTS_DISABLED =
  'Paid operations are disabled on this service: they respond with 503, `payment-unavailable`, and take no payment.';

/** Note about the clients that can pay. The OpenAPI document, `llms.txt` and the page `/docs` contain this note. */
export const CLIENTS_NOTE =
  'Clients of x402 version 2 such as @x402/fetch can pay. On networks that version 1 knows, such as Base, clients of version 1 such as x402-fetch 1.2 and x402-axios 0.7 can pay, too. There, a client that reads a challenge of version 2 only from the body cannot pay. x402-fetch pays at most $0.10 unless you set another limit; a watch, its renewal, and bulk scores of 50 or more endpoints cost at least $0.20.';

/** Note about lost responses, in the same documents as `CLIENTS_NOTE`. */
export const LOST_RESPONSE_NOTE =
  'If a response is lost, send the same request with the same payment again. You are not charged again, and get the same result within 24 hours if the payment repeats the extensions of the challenge, as that of @x402/fetch does. Payments of version 1 and of some other clients have no extensions: they get the result within 10 minutes, and a new watch within 60 seconds and at the same client address only. So buy a watch with a client that repeats the extensions.';

/** Paths of the generated documents on this service. */
export const DOCUMENT_PATHS = {
  openApi: '/openapi.json',
  llms: '/llms.txt',
  wellKnown: '/.well-known/x402',
  reference: '/docs',
  methodology: '/methodology',
} as const;

/** Path of the MCP server on this service. */
export const MCP_PATH = '/mcp';

/**
 * Names of the request headers that contain a payment, by version of x402, in lower case. A request with both headers
 * pays with version 2.
 */
export const PAYMENT_HEADERS = { v2: 'payment-signature', v1: 'x-payment' } as const;

/** Names of the response headers that contain the receipt of a payment, by version of x402, in lower case. */
export const RECEIPT_HEADERS = { v2: 'payment-response', v1: 'x-payment-response' } as const;

/** Name of the `_meta` member that contains the payment of a tool call, by the x402 transport for MCP. */
export const PAYMENT_META = 'x402/payment';

/** Name of the `_meta` member that contains the payment receipt in the result of a tool call. */
export const PAYMENT_RESPONSE_META = 'x402/payment-response';

/**
 * Paths of the MCP server card: the well-known path, and the path below the MCP server. SEP-2127 recommends the second
 * path.
 */
export const SERVER_CARD_PATHS = ['/.well-known/mcp/server-card.json', `${MCP_PATH}/server-card`] as const;

export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
