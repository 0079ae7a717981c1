import type { Tool, ToolRequest } from '@touchstone/contract';
import type { ToolPayment } from './tool-payment.ts';

/** One call of a tool with valid arguments. */
export interface ToolCall {
  readonly tool: Tool;
  /** Request of the API operation, filled with the arguments of the call. */
  readonly request: ToolRequest;
  /** Payment of the call, unchecked; null without a payment, and for a free operation. */
  readonly payment: ToolPayment | null;
  /** HTTP request that carried the call; null for the stdio transport. */
  readonly httpRequest: Request | null;
  /** Aborts when the client cancels the call. */
  readonly signal: AbortSignal;
}

export interface McpServerOptions {
  /** Public origin of the service. */
  readonly baseUrl: string;
  /** Version of the MCP server, as clients see the version. */
  readonly version: string;
  /**
   * Sends the request of a call to the API. An error response is a problem document, and status 402 has the header
   * `PAYMENT-REQUIRED`.
   *
   * @throws CallError with a message for the agent, a code and a next step. The error result contains all three. For
   *   any other error, it contains only the message.
   */
  readonly send: (call: ToolCall) => Promise<Response>;
  /** Returns a text on how to pay a quote. The text follows the quote in the result. Null if no text follows. */
  readonly payHint: ((tool: Tool) => string) | null;
  /**
   * Sentences in the instructions for the model that say how calls are paid. By default they say that a call without a
   * payment returns a quote.
   */
  readonly paymentInstruction?: string;
  /**
   * Stores a body that is too long for a tool result, and returns a sentence that says where the body is. Without this
   * function, the sentence names the HTTP request that returns the body.
   */
  readonly storeWhole?: (call: ToolCall, body: Readonly<Record<string, unknown>>) => Promise<string>;
  /** Reads a text document of the service. Without this function, the server does not offer `llms.txt`. */
  readonly readText?: (path: string) => Promise<string>;
}
