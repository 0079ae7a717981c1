import type { JsonObject } from '../parsing/json.ts';

/** A complete HTTP response. */
export interface HttpResponse {
  readonly status: number;
  /** Alternating names and values, the form that Node writes fastest. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Creates a text response. `headers` are alternating names and values that follow the content type. */
export const createTextResponse = (
  status: number,
  { type, text, headers = [] }: { type: string; text: string; headers?: readonly string[] },
): HttpResponse => {
  const body = Buffer.from(text);
  return {
    status,
    headers: ['Content-Type', type, ...headers, 'Content-Length', String(body.length), 'Connection', 'close'],
    body,
  };
};

/** Creates a JSON response. */
export const createJsonResponse = (
  status: number,
  value: JsonObject,
  headers: readonly string[] = [],
): HttpResponse =>
  createTextResponse(status, { type: 'application/json', text: JSON.stringify(value), headers });
