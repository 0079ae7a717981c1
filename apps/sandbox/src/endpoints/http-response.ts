import type { JsonObject } from '../parsing/json.ts';

/** A complete HTTP response. */
export interface HttpResponse {
  readonly status: number;
  /** Header names and values, alternating. Node writes this format fastest. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Creates a response with a text body. `headers` contains additional header names and values, alternating. */
export function createTextResponse(
  status: number,
  { type, text, headers = [] }: { type: string; text: string; headers?: readonly string[] },
): HttpResponse {
  const body = Buffer.from(text);
  return {
    status,
    headers: ['Content-Type', type, ...headers, 'Content-Length', String(body.length), 'Connection', 'close'],
    body,
  };
}

export function createJsonResponse(
  status: number,
  value: JsonObject,
  headers: readonly string[] = [],
): HttpResponse {
  return createTextResponse(status, { type: 'application/json', text: JSON.stringify(value), headers });
}
