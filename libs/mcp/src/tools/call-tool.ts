import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import {
  createProblem,
  listMistakes,
  MAX_BODY_BYTES,
  PAYMENT_META,
  summarizeMistakes,
  toToolRequest,
  withNotCharged,
  type Mistake,
  type Problem,
  type Tool,
  type ToolRequest,
} from '@touchstone/contract';
import type { McpServerOptions } from '../options.ts';
import { createProblemResult, toToolResult } from './tool-result.ts';
import type { Members } from './tool-schemas.ts';

/** Name of the arguments in messages. */
const WHOLE_NAME = 'arguments object';

/** Message of a rule that the body needs one of several members. The arguments also have the members of the path. */
const MISSING_SETTINGS = new RegExp(`^The ${WHOLE_NAME} must be an object with (.+); received an object\\.$`);

const TOO_LARGE = `The arguments are larger than ${String(MAX_BODY_BYTES / 1_024)} KiB as JSON.`;

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
    const errors = listMistakes(parsed.error.issues, members, WHOLE_NAME).map(nameMissingSettings);
    return refuse(tool, createProblem('invalid-request', summarizeMistakes(errors), { errors }));
  }
  const request = toToolRequest(tool, parsed.data);
  if (isTooLarge(request)) return refuse(tool, createProblem('body-too-large', TOO_LARGE));
  const call = {
    tool,
    request,
    payment: context.mcpReq._meta?.[PAYMENT_META],
    httpRequest: context.http?.req ?? null,
    signal: context.mcpReq.signal,
  };
  const response = await options.send(call);
  try {
    return await toToolResult(call, response, options.payHint);
  } catch {
    const detail = `The service sent an unreadable response with status ${String(response.status)}.`;
    return createProblemResult(tool, createProblem('internal', detail));
  }
}

/** States which arguments are missing. The message of the rule would say that an object is expected and was received. */
function nameMissingSettings({ path, message }: Mistake): Mistake {
  return { path, message: message.replace(MISSING_SETTINGS, 'The arguments must contain $1.') };
}

/** Creates the result of a call whose request is not sent, so that a paid tool charges nothing. */
function refuse(tool: Tool, problem: Problem): CallToolResult {
  const isPaid = tool.operations.some(({ priceUsd }) => priceUsd !== null);
  return createProblemResult(tool, isPaid ? withNotCharged(problem) : problem);
}

/** Returns true if the API would refuse the body, which it does only after a quote. */
function isTooLarge({ body }: ToolRequest): boolean {
  return body !== undefined && Buffer.byteLength(JSON.stringify(body)) > MAX_BODY_BYTES;
}
