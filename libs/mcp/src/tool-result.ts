import type { CallToolResult } from '@modelcontextprotocol/server';
import { isJsonObject } from '@touchstone/common';
import {
  problemSchema,
  type Problem,
  type Tool,
  PAYMENT_META,
  summarizeMistakes,
  type ProblemCode,
  formatPriceUsd,
  NOT_CHARGED,
  toAtomicUnits,
  paymentRequiredSchema,
  type Operation,
  type PaymentRequired,
  PAYMENT_RESPONSE_META,
} from '@touchstone/contract';
import type { McpServerOptions, ToolCall } from './options.ts';

/**
 * Converts a response of the API to a tool result.
 *
 * - Success: the body as structured content and as text, and the settlement in `_meta`.
 * - Status 402: the quote, its price, and the way to pay it.
 * - Other errors: the problem as structured content, and its cause and the next step as text.
 *
 * @throws Error if the response has another form.
 */
export async function toToolResult(
  call: ToolCall,
  response: Response,
  payHint: McpServerOptions['payHint'],
): Promise<CallToolResult> {
  const body: unknown = await response.json();
  if (response.ok) return createSuccessResult(body, response);
  const settlement = createSettlementMeta(response);
  if (response.status === 402) {
    // By the x402 transport for MCP, the quote also contains a failed settlement.
    const quote = { ...readQuote(response, body), ...settlement._meta };
    return { ...createQuoteResult(call, quote, payHint), ...settlement };
  }
  const problem = toMcpProblem(problemSchema.parse(body));
  const result = createProblemResult(call.tool, problem, response.headers.get('retry-after'));
  return { ...result, ...settlement };
}

/** Creates the result of a failed call: the problem, its text, and what the agent should do next. */
export function createProblemResult(
  tool: Tool,
  problem: Problem,
  retryAfter: string | null = null,
): CallToolResult {
  const { detail, errors = [], notCharged } = problem;
  const isStated = notCharged !== true || detail.includes(NOT_CHARGED);
  const lines = [
    detail,
    ...(errors.length > 1 ? errors.map(({ message }) => `- ${message}`) : []),
    describeNextStep(tool, problem, retryAfter),
    ...(isStated ? [] : [NOT_CHARGED]),
  ];
  return {
    isError: true,
    structuredContent: problem,
    content: [{ type: 'text', text: lines.join('\n') }],
  };
}

function createSuccessResult(body: unknown, response: Response): CallToolResult {
  if (!isJsonObject(body)) throw new Error('The body of the response is not a JSON object.');
  return {
    structuredContent: body,
    content: [{ type: 'text', text: JSON.stringify(body) }],
    ...createSettlementMeta(response),
  };
}

/** Returns a problem of the API without the names of HTTP headers in its detail: an MCP client cannot send headers. */
function toMcpProblem(problem: Problem): Problem {
  switch (problem.code) {
    case 'unauthorized':
      return { ...problem, detail: 'No watch has this `watch_id` and this `secret`.' };
    case 'invalid-payment': {
      const mistakes = summarizeMistakes(problem.errors ?? []);
      return {
        ...problem,
        detail: `The payment in \`_meta["${PAYMENT_META}"]\` is not valid. ${mistakes}`,
      };
    }
    default:
      return problem;
  }
}

/** Next step of the agent after each problem. `{tool}` is the name of the called tool. */
const NEXT_STEPS: Readonly<Record<ProblemCode, string>> = {
  'invalid-request': 'Correct the arguments and call {tool} again.',
  'invalid-payment':
    'Call {tool} without a payment to get a quote. Sign one of its `accepts`, and send the payment with the same arguments.',
  unauthorized:
    'Send the `watch_id` and the `secret` that x402_watch_create returned. A lost secret cannot be restored: create a new watch.',
  'unknown-resource':
    'Check the URL. x402_trust_score probes a URL that is not in the catalog, and x402_semantic_search finds endpoints by their purpose. Do not pay an endpoint only because nothing is known about it.',
  'watch-not-found': 'Check the `watch_id`: x402_watch_create returned it.',
  'method-not-allowed': 'This version of the server does not match the service. Install the present version.',
  'watch-not-renewable': 'Create a new watch with x402_watch_create.',
  'payment-in-progress':
    'Call {tool} again with the same arguments and the same payment. It is charged at most once.',
  'payment-reused': 'Call {tool} without a payment to get a new quote, and sign a new payment.',
  'resource-removed': 'Use another endpoint. x402_semantic_search finds endpoints by their purpose.',
  'body-too-large': 'Send fewer or shorter values, and call {tool} again.',
  'unsupported-media-type':
    'This version of the server does not match the service. Install the present version.',
  'delivery-unreachable': 'Correct or remove the delivery URLs, and call {tool} again.',
  'template-unresolved': 'Replace the placeholder in the URL with a real value, and call {tool} again.',
  'not-probeable':
    'If the cause is temporary, call {tool} again later. Otherwise check that the URL is public and responds. Do not pay an endpoint only because nothing is known about it.',
  'rate-limited': 'Call {tool} again after this time. Use x402_trust_bulk for many endpoints.',
  internal: 'Call {tool} again in a minute with the same arguments and, if you sent one, the same payment.',
  'search-unavailable':
    'Call {tool} again later. x402_leaderboard lists the best-scored endpoints without a search.',
  'watch-unavailable': 'This service sells no watches at present. Call x402_summary at intervals instead.',
  'picture-unavailable': 'Request the picture again later. The tools need no pictures.',
  'payment-unavailable':
    'Call {tool} again with the same arguments and, if you sent one, the same payment. It is charged at most once. The free tools work without a payment.',
};

/** Next step if the state of a watch does not allow an edit. The error response then names no wrong argument. */
const NOT_EDITABLE =
  'Call x402_watch_show to read the status of the watch. Create a new watch with x402_watch_create if it is cancelled; if its payment is not settled yet, call {tool} again in a minute.';

/**
 * Returns the next step of the agent after a problem.
 *
 * @param retryAfter value of the header `Retry-After` in seconds; null without the header
 */
function describeNextStep(tool: Tool, problem: Problem, retryAfter: string | null): string {
  const step = `Next: ${findNextStep(tool, problem).replaceAll('{tool}', tool.name)}`;
  const isSeconds = retryAfter !== null && /^\d+$/.test(retryAfter);
  if (!isSeconds || problem.detail.includes(` ${retryAfter} seconds`)) return step;
  return `Wait ${retryAfter} seconds. ${step}`;
}

function findNextStep({ name }: Tool, { code, errors = [] }: Problem): string {
  const isStatus = name === 'x402_watch_edit' && code === 'invalid-request' && errors.length === 0;
  return isStatus ? NOT_EDITABLE : NEXT_STEPS[code];
}

/** Name of the x402 extension for directories. The extension contains the input and output of the operation. */
const DISCOVERY_EXTENSION = 'bazaar';

/** Pattern of the API text for a refusal whose reason is only in `error`. */
const UNEXPLAINED = /^The payment was refused\b/;

/**
 * Creates the result of a call that was not paid: the quote as structured content and as identical text (x402 MCP
 * transport), then its price in US dollars and the way to pay it. After a refused payment, the reason comes first.
 */
function createQuoteResult(
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
 * Returns the quote in the header `PAYMENT-REQUIRED`, and adds the reason of a refused payment. Only the body has this
 * reason. If the header is missing, the quote is read from the body. The extension for directories is left out, because
 * it repeats the schemas of the tool. Each quote would have about 4 kB more.
 */
function readQuote(response: Response, body: unknown): PaymentRequired {
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
      ? NOT_CHARGED
      : `Call ${toolName} again with the same payment before you sign a new one: it is charged at most once.`;
  return `The payment was refused: ${removeEnd(reason)}. ${charge}`;
}

/** Removes the end of a reason: the sentence that the API adds to a detail with `notCharged`, and the period. */
function removeEnd(reason: string): string {
  const end = ` ${NOT_CHARGED}`;
  return (reason.endsWith(end) ? reason.slice(0, -end.length) : reason).replace(/\.$/, '');
}

/** Describes the payment options, such as "This call costs $0.005 in USDC on eip155:8453." */
function describePrice({ priceUsd }: Operation, { accepts }: PaymentRequired): string {
  // A service of another version may have another price, so the price of the contract is compared with the quote.
  const options = accepts.map(({ amount, asset, network }) =>
    priceUsd !== null && amount === toAtomicUnits(priceUsd, 6)
      ? `${formatPriceUsd(priceUsd)} in USDC on ${network}`
      : `${amount} atomic units of ${asset} on ${network}`,
  );
  return `This call costs ${[...new Set(options)].join(', or ')}.`;
}

/**
 * Returns the settlement in the header `PAYMENT-RESPONSE` as `_meta` of a result; an empty object if the header is
 * missing.
 */
function createSettlementMeta(response: Response): Pick<CallToolResult, '_meta'> {
  const header = response.headers.get('payment-response');
  return header === null ? {} : { _meta: { [PAYMENT_RESPONSE_META]: decodeHeader(header) } };
}

/** Decodes a header of x402: JSON in Base64. */
function decodeHeader(value: string): unknown {
  return JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
}
