import type { McpServer, ServerContext, CallToolResult } from '@modelcontextprotocol/server';
import {
  TOOLS,
  type Tool,
  createProblem,
  listMistakes,
  MAX_BODY_BYTES,
  NOT_CHARGED,
  summarizeMistakes,
  toToolRequest,
  markNotCharged,
  type Mistake,
  type Problem,
  type ToolRequest,
} from '@touchstone/contract';
import type { McpServerOptions } from './options.ts';
import { readArguments } from './read-arguments.ts';
import { readPayment, type ToolPayment } from './tool-payment.ts';
import { createProblemResult, toToolResult } from './tool-result.ts';
import { getInputSchema, type Members } from './tool-schemas.ts';

interface CallErrorDetails {
  /** Stable code of the error. The error codes of the service are different codes. */
  readonly code: string;
  /** Next step of the agent, as a sentence. */
  readonly nextStep: string;
  /** True when it is certain that the payer was not charged. */
  readonly notCharged: boolean;
}

/** Error in the program that sends and pays a tool call. The service does not report such an error. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly details: CallErrorDetails;

  /** @param message cause of the error, for the agent */
  constructor(message: string, details: CallErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}

/** Runs a call. A `CallError` becomes an error result with its code and its next step; other errors are thrown again. */
async function catchCallError(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CallError) return createErrorResult(error);
    throw error;
  }
}

function createErrorResult({ message, details: { code, nextStep, notCharged } }: CallError): CallToolResult {
  const isStated = /Nothing was (?:signed or )?charged\./.test(message);
  const lines = [message, `Next: ${nextStep}`, ...(notCharged && !isStated ? [NOT_CHARGED] : [])];
  return {
    isError: true,
    structuredContent: { code, detail: message, nextStep, ...(notCharged ? { notCharged } : {}) },
    content: [{ type: 'text', text: lines.join('\n') }],
  };
}

export function registerTools(server: McpServer, options: McpServerOptions): void {
  for (const tool of TOOLS) {
    const { name, title, description, annotations } = tool;
    server.registerTool(
      name,
      { title, description, annotations, inputSchema: getInputSchema(tool) },
      (members, context: ServerContext) =>
        withProgress(tool, context, () =>
          catchCallError(() => callTool({ tool, members, context, options })),
        ),
    );
  }
}

const PROGRESS_INTERVAL_MS = 1_000;

/**
 * Runs a call and reports its progress: at the start and every second, with the seconds that have passed. Only slow
 * tools report progress, and only to clients that sent a progress token. The total time of a call is not known.
 */
async function withProgress<Result>(
  tool: Tool,
  { mcpReq }: ServerContext,
  run: () => Promise<Result>,
): Promise<Result> {
  const progressToken = mcpReq._meta?.progressToken;
  if (!tool.isSlow || progressToken === undefined) return run();
  const report = (seconds: number): void => {
    const message = seconds === 0 ? `${tool.title}: started.` : `${tool.title}: ${String(seconds)} s.`;
    const params = { progressToken, progress: seconds, message };
    // A failed notification means that the client has disconnected. The call then ends by its abort signal.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  let seconds = 0;
  report(seconds);
  const timer = setInterval(() => {
    seconds += 1;
    report(seconds);
  }, PROGRESS_INTERVAL_MS);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}

const WHOLE_NAME = 'arguments object';

/**
 * Pattern of the error message for a body that must contain at least one of several members, but contains none. The
 * arguments of a call also contain the path parameters, so this message is replaced.
 */
const MISSING_SETTINGS = new RegExp(`^The ${WHOLE_NAME} must be an object with (.+); received an object\\.$`);

/** Pattern of the error message for unknown arguments. */
const UNKNOWN_ARGUMENT = new RegExp(`^\`.* fields? of the ${WHOLE_NAME}\\.`);

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
 * the arguments are invalid, so that no payment is sent with a request that must fail. The SDK converts an error of
 * `send` to an error result with its message.
 */
async function callTool({
  tool,
  members: received,
  context,
  options,
}: CallToolOptions): Promise<CallToolResult> {
  const { parsed, members } = readArguments(tool, received);
  const payment = readPayment(context.mcpReq._meta);
  const refuse = (problem: Problem) => createRefusal(tool, problem, payment);
  if (!parsed.success) {
    const errors = listMistakes(parsed.error.issues, members, WHOLE_NAME).map((mistake) =>
      nameArguments(tool, mistake),
    );
    return refuse(createProblem('invalid-request', summarizeMistakes(errors), { errors }));
  }
  const request = toToolRequest(tool, parsed.data);
  if (isTooLarge(request)) return refuse(createProblem('body-too-large', TOO_LARGE));
  const call = {
    tool,
    request,
    // A free operation takes no payment, so a payment that a client attaches to every call is left out.
    payment: request.operation.priceUsd === null ? null : payment,
    httpRequest: context.http?.req ?? null,
    signal: context.mcpReq.signal,
  };
  const response = await options.send(call);
  try {
    return await toToolResult(call, response, options);
  } catch {
    const detail = `The service sent an unreadable response with status ${String(response.status)}.`;
    return createProblemResult(tool, createProblem('internal', detail));
  }
}

/**
 * States which arguments are missing, and which arguments the tool accepts instead of an unknown argument. Without the
 * names of missing arguments, the message would say that an object was expected and an object was received.
 */
function nameArguments({ name, input }: Tool, { path, message }: Mistake): Mistake {
  const accepted = Object.keys(input.shape).map((member) => `\`${member}\``);
  const isUnknown = path === '' && UNKNOWN_ARGUMENT.test(message);
  const suffix = isUnknown ? ` ${name} accepts ${accepted.join(', ')}.` : '';
  return { path, message: message.replace(MISSING_SETTINGS, 'The arguments must contain $1.') + suffix };
}

/**
 * Creates the result of a call whose request is not sent. Without a payment, a paid tool charges nothing. A payment may
 * have been settled for an earlier call.
 */
function createRefusal(tool: Tool, problem: Problem, payment: ToolPayment | null): CallToolResult {
  const isPaid = tool.operations.some(({ priceUsd }) => priceUsd !== null);
  return createProblemResult(tool, isPaid && payment === null ? markNotCharged(problem) : problem);
}

/** Returns true if the body exceeds the size limit of the API. The API refuses such a body only after a quote. */
function isTooLarge({ body }: ToolRequest): boolean {
  return body !== undefined && Buffer.byteLength(JSON.stringify(body)) > MAX_BODY_BYTES;
}
