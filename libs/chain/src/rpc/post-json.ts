import { RpcFailure } from './rpc-failure.ts';

export interface PostOptions {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Seconds or a date, as HTTP allows; in milliseconds from now. */
function readRetryAfter(response: Response, nowMs: number): number | null {
  const text = response.headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

function refuse(response: Response): void {
  const after = (): number | null => readRetryAfter(response, Date.parse(response.headers.get('date') ?? ''));
  if (response.status === 429) throw new RpcFailure('busy', 'answered 429', after());
  if (response.status === 503 && after() !== null) throw new RpcFailure('busy', 'answered 503', after());
  if (response.status === 413) throw new RpcFailure('too-much', 'answered 413');
  // Errors of JSON-RPC come with 400 or 500 from some; what says nothing in JSON is refused by its text.
  if (response.status >= 300 && response.status < 400)
    throw new RpcFailure('unusable', 'answered a redirect');
  if (response.status === 401 || response.status === 403) {
    throw new RpcFailure('unusable', `answered ${response.status}`);
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new RpcFailure('too-much', `answered more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcFailure(
      status >= 500 ? 'missing' : 'unusable',
      `answered ${status} with something that is not JSON`,
    );
  }
}

/**
 * Posts a JSON body and reads the JSON answer, whatever its status, within a time and a size.
 * @throws RpcFailure without the URL in its message
 */
export async function postJson(
  body: object,
  { url, fetch, timeoutMs, maxBytes }: PostOptions,
): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    refuse(response);
    return parseJson(await readText(response, maxBytes), response.status);
  } catch (error) {
    if (error instanceof RpcFailure) throw error;
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw new RpcFailure('slow', `did not answer within ${timeoutMs} ms`);
    }
    // The cause is left out: its message may hold the URL.
    throw new RpcFailure('missing', 'could not be reached');
  }
}
