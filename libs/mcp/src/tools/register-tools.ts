import type { McpServer, ServerContext, CallToolResult } from '@modelcontextprotocol/server';
import { TOOLS, type Tool } from '@touchstone/contract';
import type { McpServerOptions } from '../options.ts';
import { callTool } from './call-tool.ts';
import { getAdvertisedSchemas } from './tool-schemas.ts';

interface CallErrorDetails {
  /** Stable slug of the error. The codes of the problem documents of the service are different. */
  readonly code: string;
  /** Next step of the agent, as a sentence. */
  readonly nextStep: string;
  /** True when it is certain that the payer was not charged. */
  readonly notCharged: boolean;
}

/** Error of a call in the entrance that sends and pays it. The service has no problem document for it. */
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
  const lines = [message, `Next: ${nextStep}`, ...(notCharged && !isStated ? ['Nothing was charged.'] : [])];
  return {
    isError: true,
    structuredContent: { code, detail: message, ...(notCharged ? { notCharged } : {}) },
    content: [{ type: 'text', text: lines.join('\n') }],
  };
}

/** Registers all tools of the contract. */
export function registerTools(server: McpServer, options: McpServerOptions): void {
  for (const tool of TOOLS) {
    const { name, title, description, annotations } = tool;
    const { input, output } = getAdvertisedSchemas(tool);
    server.registerTool(
      name,
      { title, description, annotations, inputSchema: input, outputSchema: output },
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
