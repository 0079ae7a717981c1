import {
  createRequestContext,
  DEFAULT_LIMITS,
  type RequestOptions,
  createInvalidTargetProbe,
  parseTarget,
} from './http/request-context.ts';
import { requestOnce } from './http/request-once.ts';
import type { Probe } from './types.ts';

/** One message to a receiver outside of this service. */
export interface SendRequest {
  /** Absolute https URL. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Header fields in addition to the fields of every request. `Content-Type` is `application/json`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of a POST; a GET has no body. */
  readonly body: string;
  /** Maximum duration of the whole request, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum length of the response body that is read, in bytes. */
  readonly maxReplyBytes: number;
  /** True to compute the size and the hash of the response body; false by default. */
  readonly digestsBody?: boolean | undefined;
}

/**
 * Function that sends one message over a new connection and returns the response in the form of a probe result. Never
 * rejects.
 */
export type Sender = (request: SendRequest) => Promise<Probe>;

/**
 * Creates a sender of messages to URLs that users entered. The sender has the address guard and the limits of a prober:
 * the sender connects only to an address that passed the guard, and follows no redirect. Messages contain secrets, so
 * the sender uses https only.
 *
 * @throws TypeError when the user agent is not a valid header value; an error of OpenSSL when a certificate is not PEM
 */
export function createSender(options: RequestOptions): Sender {
  const context = createRequestContext(options, DEFAULT_LIMITS);
  return async ({ url: target, method, headers, body, timeoutMs, maxReplyBytes, digestsBody }) => {
    const url = parseTarget(target);
    if (url?.protocol !== 'https:') return createInvalidTargetProbe(target, method);
    const limits = {
      ...DEFAULT_LIMITS,
      firstByteMs: timeoutMs,
      totalMs: timeoutMs,
      bodyBytes: maxReplyBytes,
    };
    const input = { target, url, method, headers, body, totalMs: timeoutMs, digestsBody };
    return requestOnce(input, { ...context, limits });
  };
}
