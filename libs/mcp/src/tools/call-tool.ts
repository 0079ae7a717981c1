import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import {
  createProblem,
  listMistakes,
  PAYMENT_META,
  summarizeMistakes,
  toToolRequest,
  type Tool,
} from '@touchstone/contract';
import type { McpServerOptions } from '../options.ts';
import { createProblemResult, toToolResult } from './tool-result.ts';
import type { Members } from './tool-schemas.ts';

interface CallToolOptions {
  readonly tool: Tool;
  /** Arguments of the call, as received. */
  readonly members: Members;
  readonly context: ServerContext;
  readonly options: McpServerOptions;
}

/**
 * Validates the arguments of a call, sends its request and converts the response to a tool result. Nothing is sent if
 * the arguments are invalid, so that a payment is never presented for a request that must fail. The SDK converts an
 * error of `send` to an error result with its message.
 */
export async function callTool({
  tool,
  members,
  context,
  options,
}: CallToolOptions): Promise<CallToolResult> {
  const parsed = tool.input.safeParse(members);
  if (!parsed.success) {
    const errors = listMistakes(parsed.error.issues, members, 'arguments object');
    const problem = createProblem('invalid-request', summarizeMistakes(errors), { errors });
    return createProblemResult(tool, problem);
  }
  const response = await options.send({
    tool,
    request: toToolRequest(tool, parsed.data),
    payment: context.mcpReq._meta?.[PAYMENT_META],
    httpRequest: context.http?.req ?? null,
    signal: context.mcpReq.signal,
  });
  try {
    return await toToolResult(tool, response, options.payHint);
  } catch {
    const detail = `The service sent an unreadable response with status ${String(response.status)}.`;
    return createProblemResult(tool, createProblem('internal', detail));
  }
}
