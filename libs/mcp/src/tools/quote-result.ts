import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  formatPriceUsd,
  paymentRequiredSchema,
  type Operation,
  type PaymentRequired,
  PAYMENT_RESPONSE_META,
} from '@touchstone/contract';
import type { McpServerOptions, ToolCall } from '../options.ts';

/** Extension of x402 for directories: input and output of the operation. */
const DISCOVERY_EXTENSION = 'bazaar';

/** End of a reason: the period, and the sentence that the API adds to a detail with `notCharged`. */
const END = /\.?(?: Nothing was charged\.)?$/;

/** Text of the API for a refusal whose reason is only in `error`. */
const UNEXPLAINED = /^The payment was refused\b/;

/**
 * Creates the result of a call that was not paid: the quote as structured content and as identical text (x402 MCP
 * transport), then its price in US dollars and the way to pay it. After a refused payment, the reason comes first.
 */
export function createQuoteResult(
  { tool, request: { operation }, payment }: ToolCall,
  quote: PaymentRequired,
  payHint: McpServerOptions['payHint'],
): CallToolResult {
  const lines = [
    ...(payment === undefined ? [] : [describeRefusal(quote, tool.name)]),
    describePrice(operation, quote),
    ...(payHint === null ? [] : [payHint(tool)]),
  ];
  return {
    isError: true,
    structuredContent: quote,
    content: [
      { type: 'text', text: JSON.stringify(quote) },
      { type: 'text', text: lines.join('\n') },
    ],
  };
}

/**
 * Returns the quote in the header `PAYMENT-REQUIRED`, with the reason of a refused payment, which only the body has. The
 * body has the same quote, and is read without the header. The extension for directories is left out: it repeats the
 * schemas of the tool, which would fill the context of the agent with about 4 kB for each quote.
 */
export function readQuote(response: Response, body: unknown): PaymentRequired {
  const header = response.headers.get('payment-required');
  if (header === null) return omitDiscovery(paymentRequiredSchema.parse(body));
  const { detail, notCharged } = paymentRequiredSchema.safeParse(body).data ?? {};
  return {
    ...omitDiscovery(paymentRequiredSchema.parse(decodeHeader(header))),
    ...(detail === undefined ? {} : { detail }),
    ...(notCharged === undefined ? {} : { notCharged }),
  };
}

function omitDiscovery({ extensions, ...quote }: PaymentRequired): PaymentRequired {
  if (extensions === undefined) return quote;
  const others = Object.entries(extensions).filter(([name]) => name !== DISCOVERY_EXTENSION);
  return others.length === 0 ? quote : { ...quote, extensions: Object.fromEntries(others) };
}

function describeRefusal({ error, detail, notCharged }: PaymentRequired, toolName: string): string {
  const isExplained = detail !== undefined && !UNEXPLAINED.test(detail);
  const reason = isExplained ? detail : (error ?? 'no reason was given');
  const charge =
    notCharged === true
      ? 'Nothing was charged.'
      : `Call ${toolName} again with the same payment before you sign a new one: it is charged at most once.`;
  return `The payment was refused: ${reason.replace(END, '')}. ${charge}`;
}

/** Describes the payment options, such as "This call costs $0.005 in USDC on eip155:8453." */
function describePrice({ priceUsd }: Operation, { accepts }: PaymentRequired): string {
  // A service of another version may have another price, so the price of the contract is compared with the quote.
  const options = accepts.map(({ amount, asset, network }) =>
    priceUsd !== null && Number(amount) === Math.round(Number(priceUsd) * 1_000_000)
      ? `${formatPriceUsd(priceUsd)} in USDC on ${network}`
      : `${amount} atomic units of ${asset} on ${network}`,
  );
  return `This call costs ${[...new Set(options)].join(', or ')}.`;
}

/** Returns the settlement in the header `PAYMENT-RESPONSE` as `_meta` of a result; nothing without the header. */
export function createSettlementMeta(response: Response): Pick<CallToolResult, '_meta'> {
  const header = response.headers.get('payment-response');
  return header === null ? {} : { _meta: { [PAYMENT_RESPONSE_META]: decodeHeader(header) } };
}

/** Decodes a header of x402: JSON in Base64. */
function decodeHeader(value: string): unknown {
  return JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
}
