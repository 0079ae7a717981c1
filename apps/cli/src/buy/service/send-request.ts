import { BodyTooLargeError, readBoundedText } from '@touchstone/common';
import { VERSION } from '../../version.ts';

/** A request for a paid operation. Orders with the same URL and body buy the same result. */
export interface Order {
  /** URL of the paid operation. */
  readonly url: URL;
  /** URL that the challenge must be for: `url` without the query, which belongs to the request only. */
  readonly resource: URL;
  /** JSON body, exactly as it is sent. The service accepts a payment only with the body of its first request. */
  readonly body: string;
  /** Description for messages, such as `a trust report on https://…`. It contains no text from the service. */
  readonly description: string;
}

/** Creates an order for an operation of a service. */
export function createOrder(
  service: URL,
  {
    path,
    query = {},
    input,
    description,
  }: {
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly input: unknown;
    readonly description: string;
  },
): Order {
  const resource = new URL(path, service);
  const url = new URL(resource);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { url, resource, body: JSON.stringify(input), description };
}

/** A complete response of the service. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * A complete response, or the error that prevented it. Despite an error, the service may have processed the request.
 */
export type RequestResult = ServiceResponse | { readonly error: string };

/** Sends an order with additional header fields. The promise never rejects. */
export type SendRequest = (order: Order, headers: Headers) => Promise<RequestResult>;

/**
 * Timeout of a request, in milliseconds. It is long, because before the service responds, it may probe an endpoint for
 * five seconds and settle the payment on the chain.
 */
const TIMEOUT_MS = 90_000;
/** Maximum length of a response, in bytes (32 MiB). A history of 90 days has about two megabytes. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Sends an order over HTTP. @param signal aborts the request */
export async function sendRequest(
  { url, body }: Order,
  headers: Headers,
  signal: AbortSignal | null = null,
): Promise<RequestResult> {
  const allHeaders = new Headers(headers);
  allHeaders.set('content-type', 'application/json');
  return sendHttpRequest(url, { method: 'POST', body, headers: allHeaders, signal }, 'buy');
}

/**
 * Sends a request to the service. Redirects are not followed, so that only the given service is paid or gets a secret.
 * The promise never rejects.
 *
 * @param command name of the command in the User-Agent header
 */
export async function sendHttpRequest(
  url: URL,
  init: Pick<RequestInit, 'method' | 'body' | 'signal'> & { readonly headers: Headers },
  command: string,
): Promise<RequestResult> {
  const headers = new Headers(init.headers);
  headers.set('accept', 'application/json');
  headers.set('user-agent', `Touchstone/${VERSION} (touchstone ${command})`);
  try {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = init.signal ? AbortSignal.any([timeout, init.signal]) : timeout;
    const response = await fetch(url, { ...init, headers, redirect: 'manual', signal });
    const text = await readBoundedText(response.body, MAX_RESPONSE_BYTES);
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    return { error: describeError(error) };
  }
}

/**
 * Describes an error of `fetch`. The message of that error is only general, so the message of its `cause` is preferred.
 */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no response within 90 seconds';
  if (error instanceof BodyTooLargeError) return 'the response is longer than 32 MiB';
  const { cause } = error;
  if (cause instanceof AggregateError) return describeError(cause.errors[0]);
  return cause instanceof Error ? cause.message : error.message;
}
