import type { CallToolResult } from '@modelcontextprotocol/server';

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
export async function catchCallError(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
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
