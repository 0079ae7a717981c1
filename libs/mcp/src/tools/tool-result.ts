import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  problemSchema,
  type Problem,
  type Tool,
  PAYMENT_META,
  summarizeMistakes,
  type ProblemCode,
} from '@touchstone/contract';
import type { McpServerOptions, ToolCall } from '../options.ts';
import { createQuoteResult, readQuote, createSettlementMeta } from './quote-result.ts';
import type { Members } from './tool-schemas.ts';

/**
 * Converts a response of the API to a tool result.
 *
 * - Success: the body as structured content and as text, and the settlement in `_meta`.
 * - Status 402: the quote, its price, and the way to pay it.
 * - Other errors: the problem as structured content, and its cause and the next step as text.
 *
 * @throws Error if the response is neither of these.
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
    // The x402 transport for MCP also has a failed settlement in the quote.
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

const NOT_CHARGED = 'Nothing was charged.';

function createSuccessResult(body: unknown, response: Response): CallToolResult {
  if (!isMembers(body)) throw new Error('The body of the response is not a JSON object.');
  return {
    structuredContent: body,
    content: [{ type: 'text', text: JSON.stringify(body) }],
    ...createSettlementMeta(response),
  };
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a problem of the API without the names of HTTP headers in its detail: an MCP client cannot send headers. */
function toMcpProblem(problem: Problem): Problem {
  switch (problem.code) {
    case 'unauthorized':
      return { ...problem, detail: 'No watch has this `id` and this `secret`.' };
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
    'Send the arguments `id` and `secret`: the `watch_id` and the `secret` that x402_watch_create returned. A lost secret cannot be restored: create a new watch.',
  'unknown-resource':
    'Check the URL. x402_trust_score probes a URL that is not in the catalog, and x402_semantic_search finds endpoints by their purpose. Do not pay an endpoint only because nothing is known about it.',
  'watch-not-found': 'Check the `id`: it is the `watch_id` that x402_watch_create returned.',
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

/** Next step if a watch is in a state in which it cannot be edited. The problem then names no wrong argument. */
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
