import type { ToolCall } from '@touchstone/mcp';
import { formatReceipt } from '../buy/payment/format-receipt.ts';
import { findStateFolder, openStoredPayments } from '../buy/payment/stored-payments.ts';
import { purchase } from '../buy/purchase.ts';
import { ErrorResponseError } from '../buy/service/error-response-error.ts';
import { createOrder } from '../buy/service/order.ts';
import type { CommandTools } from '../run.ts';
import type { McpSettings } from './mcp-settings.ts';
import type { Spending } from './spending.ts';
import { toResponse } from './to-response.ts';

interface BuyContext {
  readonly settings: McpSettings;
  readonly spending: Spending;
  readonly tools: CommandTools;
}

/**
 * Buys the result of a call with the wallet of this server.
 *
 * @throws CliError when nothing was bought, with the reason and with what is known about the charge
 */
export async function buyCall(
  { tool, request: { path, query, body = {} }, signal }: ToolCall,
  { settings, spending, tools }: BuyContext,
): Promise<Response> {
  signal.throwIfAborted();
  const order = createOrder(settings.service, { path, query, input: body, description: tool.title });
  const stored = openStoredPayments(findStateFolder(tools.host.env), Date.now).find(order);
  const conditions = {
    ...settings,
    ...spending.findLimit(stored),
    yes: true,
    beforeSend: spending.count,
    retry: 'Call the tool again with the same arguments',
    signal,
  };
  try {
    const bought = await purchase(order, conditions, tools);
    tools.printMessage(formatReceipt(bought));
    const response = toResponse({ status: 200, headers: bought.headers, text: bought.text });
    // The client has cancelled the call and ignores its result. The same call then gets it with the stored payment.
    if (!signal.aborted) bought.confirmReceived();
    return response;
  } catch (error) {
    // A refused payment gets a message with advice on the wallet. Other errors are more useful as problem documents.
    if (!(error instanceof ErrorResponseError) || error.response.status === 402) throw error;
    return toProblemResponse(error);
  }
}

/** Returns the problem document of an error response. @throws the error if the response has another body */
function toProblemResponse(error: ErrorResponseError): Response {
  try {
    return toResponse(error.response);
  } catch {
    throw error;
  }
}
