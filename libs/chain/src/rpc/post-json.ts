import { BodyTooLargeError, parseRetryAfter, readBoundedText } from '@touchstone/common';
import { RpcFailure } from './rpc-failure.ts';

export interface PostOptions {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /**
   * Returns the current time in milliseconds since the epoch. `Retry-After` dates are compared with this time when the
   * response has no `Date` header.
   */
  readonly now: () => number;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

function checkStatus({ status, headers }: Response, now: number): void {
  const retryAfterMs = parseRetryAfter(headers, now);
  if (status === 429 || (status === 503 && retryAfterMs !== null)) {
    throw new RpcFailure('rate-limited', `responded ${status}`, retryAfterMs);
  }
  if (status === 413) throw new RpcFailure('too-large', 'responded 413');
  if (status >= 300 && status < 400) throw new RpcFailure('unusable', 'responded with a redirect');
  if (status === 401 || status === 403) throw new RpcFailure('unusable', `responded ${status}`);
  // All other statuses are accepted here, and the body is read: some providers send JSON-RPC errors with status 400 or
  // 500.
}

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcFailure(
      status >= 500 ? 'unavailable' : 'unusable',
      `responded ${status} with a body that is not JSON`,
    );
  }
}

/**
 * Posts a JSON body and returns the parsed JSON response, within a timeout and a maximum response size.
 * @throws RpcFailure whose message does not contain the URL
 */
export async function postJson(body: object, options: PostOptions): Promise<unknown> {
  const { url, fetch, now, timeoutMs, maxBytes } = options;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    checkStatus(response, now());
    return parseJson(await readBoundedText(response.body, maxBytes), response.status);
  } catch (error) {
    if (error instanceof RpcFailure) throw error;
    if (error instanceof BodyTooLargeError) {
      throw new RpcFailure('too-large', `responded with more than ${maxBytes} bytes`);
    }
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw new RpcFailure('slow', `did not respond within ${timeoutMs} ms`);
    }
    // The error has no `cause`, because the message of the cause may contain the URL.
    throw new RpcFailure('unavailable', 'could not be reached');
  }
}
