import type { CallToolResult } from '@modelcontextprotocol/server';
import { formatUsd } from '@touchstone/common';
import {
  findOperation,
  problemSchema,
  type Problem,
  type Tool,
  PAYMENT_META,
  summarizeMistakes,
  type ProblemCode,
  NOT_CHARGED,
  toAtomicUnits,
  paymentRequiredSchema,
  type Operation,
  type PaymentRequired,
  type PaymentRequiredV1,
  PAYMENT_RESPONSE_META,
  RECEIPT_HEADERS,
  SCHEMAS,
} from '@touchstone/contract';
import type { McpServerOptions, ToolCall } from './options.ts';
import { createSuccessResult } from './success-result.ts';

/**
 * Converts a response of the API to a tool result.
 *
 * - Success: the body as text, the names of its members with text of providers, and the receipt in `_meta`.
 * - Status 402: the quote, its price, and the way to pay it.
 * - Other errors: the problem as structured content, and its cause and the next step as text.
 *
 * @throws Error if the response has another form.
 */
export async function toToolResult(
  call: ToolCall,
  response: Response,
  options: McpServerOptions,
): Promise<CallToolResult> {
  const body: unknown = await response.json();
  const receipts = readReceipts(call, response);
  if (response.ok) return createSuccessResult(call, body, { receipts, options });
  if (response.status === 402) {
    const quote = readQuote(call, response, body);
    // By the x402 transport for MCP, the quote also contains a failed settlement.
    const result = createQuoteResult(call, { ...quote, v2: { ...quote.v2, ...receipts } }, options.payHint);
    return addMeta(result, receipts);
  }
  const problem = toMcpProblem(call, problemSchema.parse(body));
  const result = createProblemResult(call.tool, problem, response.headers.get('retry-after'));
  return addMeta(result, receipts);
}

export function createProblemResult(
  tool: Tool,
  problem: Problem,
  retryAfter: string | null = null,
): CallToolResult {
  const { detail, errors = [], notCharged } = problem;
  const isStated = notCharged !== true || detail.includes(NOT_CHARGED);
  const nextStep = describeNextStep(tool, problem, retryAfter);
  const lines = [
    detail,
    ...(errors.length > 1 ? errors.map(({ message }) => `- ${message}`) : []),
    nextStep,
    ...(isStated ? [] : [NOT_CHARGED]),
  ];
  return {
    isError: true,
    // Some clients show a model only the structured content.
    structuredContent: { ...problem, nextStep: nextStep.replace('Next: ', '') },
    content: [{ type: 'text', text: lines.join('\n') }],
  };
}

/** Adds members to `_meta` of a result. A result without such members has no `_meta`. */
function addMeta(result: CallToolResult, meta: Readonly<Record<string, unknown>>): CallToolResult {
  const members = { ...result._meta, ...meta };
  return Object.keys(members).length === 0 ? result : { ...result, _meta: members };
}

/**
 * Returns a problem of the API without HTTP: its detail names no header, because an MCP client cannot send headers, and
 * tools instead of requests.
 */
function toMcpProblem({ payment }: ToolCall, problem: Problem): Problem {
  const { code, detail, errors } = problem;
  const named = {
    ...problem,
    detail: nameTools(detail),
    ...(errors === undefined
      ? {}
      : { errors: errors.map(({ path, message }) => ({ path, message: nameTools(message) })) }),
  };
  switch (code) {
    case 'unauthorized':
      return { ...named, detail: 'No watch has this `watch_id` and this `secret`.' };
    case 'invalid-payment': {
      const mistakes = summarizeMistakes(named.errors ?? []);
      return {
        ...named,
        detail: `The payment in \`_meta["${payment?.member ?? PAYMENT_META}"]\` is not valid. ${mistakes}`,
      };
    }
    default:
      return named;
  }
}

/** Pattern of an HTTP request in a sentence, such as `POST /v1/semantic-search`. */
const REQUEST = /\b(GET|POST|PATCH|DELETE) (\/[\w/{}-]+)/g;

/** Replaces each HTTP request in a sentence by the tool that sends the request. */
const nameTools = (text: string): string =>
  text.replaceAll(
    REQUEST,
    (request, method: string, path: string) => findOperation(method, path)?.tool?.name ?? request,
  );

/** Next step of the agent after each problem. `{tool}` is the name of the called tool. */
const NEXT_STEPS: Readonly<Record<ProblemCode, string>> = {
  'invalid-request': 'Correct the arguments and call {tool} again.',
  'invalid-payment':
    'Call {tool} without a payment to get a quote. Sign one of its `accepts`, and send the payment with the same arguments.',
  unauthorized:
    'Send the `watch_id` and the `secret` that x402_watch_create returned. A lost secret cannot be restored: create a new watch.',
  'unknown-resource':
    'Check the URL. x402_trust_score probes a URL that is not in the catalog, and x402_semantic_search finds endpoints by their purpose. Do not pay an endpoint only because nothing is known about it.',
  'unknown-payment': 'No tool reports the outcome of a payment. Check its nonce or transaction.',
  'watch-not-found': 'Check the `watch_id`: x402_watch_create returned it.',
  'method-not-allowed': 'This version of the server does not match the service. Install the latest version.',
  'watch-not-renewable': 'Create a new watch with x402_watch_create.',
  'claim-not-verified':
    'No tool verifies a claim. Publish the line of the claim, and verify it on the page /claim.',
  'payment-in-progress':
    'Call {tool} again with the same arguments and the same payment. It is charged at most once.',
  'payment-reused': 'Call {tool} without a payment to get a new quote, and sign a new payment.',
  'dispute-open': 'No tool sends a dispute. Read the answer of the operator on the page of the endpoint.',
  'resource-removed': 'Use another endpoint. x402_semantic_search finds endpoints by their purpose.',
  'body-too-large': 'Send fewer or shorter values, and call {tool} again.',
  'unsupported-media-type':
    'This version of the server does not match the service. Install the latest version.',
  'delivery-unreachable': 'Correct or remove the delivery URLs, and call {tool} again.',
  'template-unresolved': 'Replace the placeholder in the URL with a real value, and call {tool} again.',
  'not-probeable':
    'If the cause is temporary, call {tool} again later. Otherwise check that the URL is public and responds. Do not pay an endpoint only because nothing is known about it.',
  'rate-limited': 'Call {tool} again after this time. Use x402_trust_bulk for many endpoints.',
  internal: 'Call {tool} again in a minute with the same arguments and, if you sent one, the same payment.',
  'search-unavailable':
    'Call {tool} again later. x402_trust_leaderboard lists the best endpoints without a search.',
  'watch-unavailable': 'This service sells no watches at present. Call x402_summary at intervals instead.',
  'chain-unavailable': 'Do not pay again yet. Call {tool} again in a minute with the same arguments.',
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

/** Quote of a call, in both versions of x402. */
interface Quote {
  readonly v2: PaymentRequired;
  /** Null on a network without a name in version 1. */
  readonly v1: ReturnType<typeof shortenV1> | null;
}

/** Name of the `_meta` member from which the clients of Cloudflare Agents read a quote. */
const QUOTE_META = 'x402/error';

/**
 * Creates the result of a call that was not paid. Each client reads the quote elsewhere:
 *
 * - The x402 transport for MCP reads version 2 as structured content, and as identical first text.
 * - People and models read the second text: the price in US dollars and the way to pay it. After a refused payment, the
 *   reason comes first.
 * - Models with a wallet of version 1 (`x402-mcp`) read the third text.
 * - Cloudflare Agents read `_meta`. Clients of version 2 take its first option, and clients of version 1 the option with
 *   the name of their network.
 */
function createQuoteResult(
  { tool, request: { operation }, payment }: ToolCall,
  { v1, v2 }: Quote,
  payHint: McpServerOptions['payHint'],
): CallToolResult {
  const lines = [
    ...(payment === null ? [] : [describeRefusal(v2, tool.name)]),
    describePrice(operation, v2),
    ...(payHint === null ? [] : [payHint(tool)]),
  ];
  const texts = [JSON.stringify(v2), lines.join('\n'), ...(v1 === null ? [] : [JSON.stringify(v1)])];
  return {
    isError: true,
    structuredContent: v2,
    content: texts.map((text) => ({ type: 'text', text })),
    _meta: { [QUOTE_META]: { ...v2, accepts: [...v2.accepts, ...(v1?.accepts ?? [])] } },
  };
}

/**
 * Reads a quote: version 2 from the header `PAYMENT-REQUIRED`, and version 1 and the reason of a refused payment from
 * the body. The descriptions for directories are left out, because they repeat the schemas of the tool, and each quote
 * would have about 4 kB more.
 */
function readQuote({ tool }: ToolCall, response: Response, body: unknown): Quote {
  const v2 = omitDiscovery(
    paymentRequiredSchema.parse(decodeHeader(response.headers.get('payment-required') ?? '')),
  );
  const v1 = SCHEMAS['payment-required-v1'].schema.safeParse(body).data;
  const { detail, notCharged } = v1 ?? paymentRequiredSchema.safeParse(body).data ?? {};
  const refusal = {
    ...(detail === undefined ? {} : { detail }),
    ...(notCharged === undefined ? {} : { notCharged }),
  };
  return { v2: { ...v2, ...refusal }, v1: v1 === undefined ? null : shortenV1(v1, tool) };
}

/** Shortens a version 1 quote, because a model copies the option that it pays into the call of its wallet. */
function shortenV1({ x402Version, error, accepts }: PaymentRequiredV1, { title }: Tool) {
  // JSON leaves out undefined members.
  const options = accepts.map((option) => ({ ...option, description: title, outputSchema: undefined }));
  return { x402Version, error, accepts: options };
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
      ? `${formatUsd(priceUsd)} in USDC on ${network}`
      : `${amount} atomic units of ${asset} on ${network}`,
  );
  return `This call costs ${[...new Set(options)].join(', or ')}.`;
}

/**
 * Returns the receipt of a response as members of `_meta`: by the x402 transport for MCP, and also beside the member from
 * which the payment was read. Returns an empty object without a receipt.
 */
function readReceipts({ payment }: ToolCall, { headers }: Response): Readonly<Record<string, unknown>> {
  const header = headers.get(RECEIPT_HEADERS.v2) ?? headers.get(RECEIPT_HEADERS.v1) ?? '';
  if (header === '') return {};
  const receipt = decodeHeader(header);
  return {
    [PAYMENT_RESPONSE_META]: receipt,
    ...(payment === null ? {} : { [`${payment.member}-response`]: receipt }),
  };
}

/** Decodes a header of x402: JSON in Base64. */
function decodeHeader(value: string): unknown {
  return JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
}
