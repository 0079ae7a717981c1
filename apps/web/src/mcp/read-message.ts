import { BodyTooLargeError, readBoundedBytes } from '@touchstone/common';

/**
 * Maximum length of a message, in bytes. It is larger than the limit of the API, 64 KiB, because a message has the
 * payment and the body of a request.
 */
const MAX_MESSAGE_BYTES = 96 * 1024;

/**
 * Maximum number of messages in a batch of JSON-RPC, which only the protocol revision 2025-03-26 has. A batch without a
 * limit could request thousands of long lists at once.
 */
const MAX_BATCH_MESSAGES = 10;

/** Error codes of JSON-RPC 2.0, and -32000 for errors of the server. */
const CODES = { parseError: -32_700, invalidRequest: -32_600, serverError: -32_000 } as const;

type ReadMessage = { readonly message: unknown } | { readonly refusal: Response };

/** Reads the JSON body of a request with limits, or creates the response that refuses it. */
export async function readMessage(request: Request): Promise<ReadMessage> {
  let bytes: Uint8Array;
  try {
    bytes = await readBoundedBytes(request.body, MAX_MESSAGE_BYTES);
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    return refuse(413, CODES.serverError, 'The message is larger than 96 KiB. Send shorter arguments.');
  }
  const message = parseJson(bytes);
  if (message === undefined) return refuse(400, CODES.parseError, 'The body is not valid JSON.');
  if (Array.isArray(message) && message.length > MAX_BATCH_MESSAGES) {
    const text = `The batch has ${String(message.length)} messages. Send at most ${String(MAX_BATCH_MESSAGES)} at once.`;
    return refuse(400, CODES.invalidRequest, text);
  }
  return { message };
}

/** Returns the value of a JSON text in UTF-8; undefined if it is invalid. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function refuse(status: number, code: number, message: string): { readonly refusal: Response } {
  return { refusal: Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status }) };
}
