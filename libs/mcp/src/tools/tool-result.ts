import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  PAYMENT_RESPONSE_META,
  paymentRequiredSchema,
  problemSchema,
  type PaymentRequired,
  type Problem,
  type Tool,
} from '@touchstone/contract';
import type { McpServerOptions } from '../options.ts';
import { describeNextStep } from './next-steps.ts';
import type { Members } from './tool-schemas.ts';

/**
 * Converts a response of the API to a tool result.
 *
 * - Success: the body as structured content and as text, and the settlement in `_meta`.
 * - Status 402: the quote as structured content and as identical text (x402 MCP transport), then the way to pay it.
 * - Other errors: the problem as structured content, and its cause and the next step as text.
 *
 * @throws Error if the response is neither of these.
 */
export async function toToolResult(
  tool: Tool,
  response: Response,
  payHint: McpServerOptions['payHint'],
): Promise<CallToolResult> {
  const body: unknown = await response.json();
  if (response.ok) return createSuccessResult(body, response);
  if (response.status === 402) {
    // The x402 transport for MCP also has a failed settlement in the quote.
    const settlement = createSettlementMeta(response);
    const quote = { ...readQuote(response, body), ...settlement._meta };
    return { ...createQuoteResult(tool, quote, payHint), ...settlement };
  }
  const problem = problemSchema.parse(body);
  const result = createProblemResult(tool, problem, response.headers.get('retry-after'));
  return { ...result, ...createSettlementMeta(response) };
}

/** Creates the result of a failed call: the problem, its text, and what the agent should do next. */
export function createProblemResult(
  tool: Tool,
  problem: Problem,
  retryAfter: string | null = null,
): CallToolResult {
  const { detail, errors = [], notCharged } = problem;
  const lines = [
    detail,
    ...(errors.length > 1 ? errors.map(({ message }) => `- ${message}`) : []),
    describeNextStep(tool, problem.code, retryAfter),
    ...createNotChargedLine(notCharged, detail),
  ];
  return {
    isError: true,
    structuredContent: problem,
    content: [{ type: 'text', text: lines.join('\n') }],
  };
}

const NOT_CHARGED = 'Nothing was charged.';

/** Returns the line that nothing was charged; none if that is not certain, or if the detail says it. */
function createNotChargedLine(notCharged: boolean | undefined, detail = ''): readonly string[] {
  return notCharged === true && !detail.includes(NOT_CHARGED) ? [NOT_CHARGED] : [];
}

function createSuccessResult(body: unknown, response: Response): CallToolResult {
  if (!isMembers(body)) throw new Error('The body of the response is not a JSON object.');
  return {
    structuredContent: body,
    content: [{ type: 'text', text: JSON.stringify(body) }],
    ...createSettlementMeta(response),
  };
}

function createQuoteResult(
  tool: Tool,
  quote: PaymentRequired,
  payHint: McpServerOptions['payHint'],
): CallToolResult {
  const { detail, notCharged } = quote;
  const hints = [
    ...(detail === undefined ? [] : [detail]),
    ...createNotChargedLine(notCharged, detail),
    ...(payHint === null ? [] : [payHint(tool)]),
  ];
  return {
    isError: true,
    structuredContent: quote,
    content: [
      { type: 'text', text: JSON.stringify(quote) },
      ...(hints.length === 0 ? [] : [{ type: 'text' as const, text: hints.join('\n') }]),
    ],
  };
}

/**
 * Returns the quote in the header `PAYMENT-REQUIRED`, with the reason of a refused payment, which only the body has. The
 * body has the same quote, and is read without the header.
 */
function readQuote(response: Response, body: unknown): PaymentRequired {
  const header = response.headers.get('payment-required');
  if (header === null) return paymentRequiredSchema.parse(body);
  const { detail, notCharged } = paymentRequiredSchema.safeParse(body).data ?? {};
  return {
    ...paymentRequiredSchema.parse(decodeHeader(header)),
    ...(detail === undefined ? {} : { detail }),
    ...(notCharged === undefined ? {} : { notCharged }),
  };
}

/** Returns the settlement in the header `PAYMENT-RESPONSE` as `_meta` of a result; nothing without the header. */
function createSettlementMeta(response: Response): Pick<CallToolResult, '_meta'> {
  const header = response.headers.get('payment-response');
  return header === null ? {} : { _meta: { [PAYMENT_RESPONSE_META]: decodeHeader(header) } };
}

/** Decodes a header of x402: JSON in Base64. */
function decodeHeader(value: string): unknown {
  return JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
