import type { JsonObject } from './json.ts';

/** A whole HTTP answer. */
export interface HttpReply {
  readonly status: number;
  /** Names and values in turn, as Node writes them fastest. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** An answer of text; `headers` are names and values in turn, after the content type. */
export const textReply = (
  status: number,
  { type, text, headers = [] }: { type: string; text: string; headers?: readonly string[] },
): HttpReply => {
  const body = Buffer.from(text);
  return {
    status,
    headers: ['Content-Type', type, ...headers, 'Content-Length', String(body.length), 'Connection', 'close'],
    body,
  };
};

/** An answer of JSON. */
export const jsonReply = (status: number, value: JsonObject, headers: readonly string[] = []): HttpReply =>
  textReply(status, { type: 'application/json', text: JSON.stringify(value), headers });
