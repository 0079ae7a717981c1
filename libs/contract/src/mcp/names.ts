// This file does not import zod, so that scripts of pages can import it without zod.

/** Path of the MCP server on this service. */
export const MCP_PATH = '/mcp';

/** Member of `_meta` in a tool call that has the payment, by the x402 transport for MCP. */
export const PAYMENT_META = 'x402/payment';

/** Member of `_meta` in the result of a tool call that has the receipt of the payment. */
export const PAYMENT_RESPONSE_META = 'x402/payment-response';

/** Path of the MCP server card, and the location that SEP-2127 recommends: below the URL of the MCP server. */
export const SERVER_CARD_PATHS = ['/.well-known/mcp/server-card.json', `${MCP_PATH}/server-card`] as const;

/** Media type of an MCP server card. */
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
