/** What the published documents say of the service as a whole. */

/** Version of the interface, as the OpenAPI document has it. */
export const INTERFACE_VERSION = '2.0.0';

export const SERVICE = {
  name: 'Touchstone',
  summary: 'Trust and reliability of x402 endpoints',
  description:
    'Touchstone watches x402 endpoints around the clock and says, before the money moves, whether they deserve it.',
  license: 'MIT',
} as const;

/** How calls are paid for. */
export interface PaymentTerms {
  /** CAIP-2 id of the network. */
  readonly network: string;
  /** The address that is paid. */
  readonly payTo: string;
  /** Address of the token, which is the network's USDC. */
  readonly asset: string;
}

export interface Selling {
  /** False where no wallet is set to be paid; true unless given. */
  readonly sold?: boolean;
}

/** Said in the documents of such a service. */
export const NOTHING_SOLD =
  'Nothing is sold here at present: paid operations answer 503, `payment-unavailable`, and take no payment.';

/** Where the documents of the service are, below its base address. */
export const DOCUMENT_PATHS = {
  openApi: '/openapi.json',
  llms: '/llms.txt',
  wellKnown: '/.well-known/x402',
  reference: '/docs',
  methodology: '/methodology',
} as const;
