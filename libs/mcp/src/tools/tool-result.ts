import type { CallToolResult } from '@modelcontextprotocol/server';
import { problemSchema, type Problem, type Tool } from '@touchstone/contract';
import type { McpServerOptions, ToolCall } from '../options.ts';
import { describeNextStep } from './next-steps.ts';
import { createQuoteResult, readQuote } from './quote-result.ts';
import { createSettlementMeta } from './settlement-meta.ts';
import { toMcpProblem } from './mcp-problem.ts';
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
