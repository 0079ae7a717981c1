import { BodyTooLargeError, parseJson, readBoundedText } from '@touchstone/common';
import { readText } from '@touchstone/x402/json';

export interface JsonRequest {
  readonly fetch: typeof globalThis.fetch;
  readonly url: URL;
  /** JSON of a POST request; undefined for a GET request. */
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Parsed JSON of a 200 response, or a sentence with the reason why there is no JSON. */
export type JsonResult =
  | { readonly value: unknown }
  | {
      readonly problem: string;
      /** True if the service responded that the request is invalid. */
      readonly isInvalid?: boolean;
      /** True if the server responded that there is no such document. */
      readonly isMissing?: boolean;
    };

/**
 * Fetches JSON with limits on time and size. Follows no redirect. Never rejects. Leaves no timer and no open request
 * behind.
 */
export async function fetchJson({ timeoutMs, ...request }: JsonRequest): Promise<JsonResult> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The race also ends a `fetch` function that ignores its signal.
  const timeout = new Promise<JsonResult>((resolve) => {
    const problem = `${request.url.origin} did not respond within ${timeoutMs} milliseconds.`;
    timer = setTimeout(() => resolve({ problem }), timeoutMs);
  });
  try {
    return await Promise.race([receive(request, controller.signal), timeout]);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

const JSON_BODY = { 'content-type': 'application/json' };

async function receive(
  { fetch, url, body, maxBytes }: Omit<JsonRequest, 'timeoutMs'>,
  signal: AbortSignal,
): Promise<JsonResult> {
  const service = url.origin;
  try {
    const response = await fetch(url, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: { accept: 'application/json', ...(body === undefined ? {} : JSON_BODY) },
      redirect: 'error',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal,
    });
    if (response.redirected) return { problem: `${service} redirected the request.` };
    if (response.status === 400) return await describeInvalid(response, service);
    if (response.status === 429) return { problem: describeRateLimit(response, service) };
    if (response.status !== 200) {
      const isMissing = [404, 410].includes(response.status);
      return { problem: `${service} returned status ${response.status}.`, isMissing };
    }
    const value = parseJson(await readBoundedText(response.body, maxBytes));
    return value === undefined ? { problem: `The response of ${service} is not JSON.` } : { value };
  } catch (error) {
    return error instanceof BodyTooLargeError
      ? { problem: `The response of ${service} is larger than ${error.maxBytes} bytes.` }
      : { problem: `${service} could not be reached.` };
  }
}

/** Maximum size of a problem document, in bytes. */
const MAX_PROBLEM_BYTES = 65_536;
const MAX_DETAIL_CHARS = 300;

/** Describes a 400 response. Only a problem document (RFC 9457) with a detail comes from the service itself. */
async function describeInvalid(response: Response, service: string): Promise<JsonResult> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  const text = isProblem ? await readBoundedText(response.body, MAX_PROBLEM_BYTES) : '';
  const detail = readText(parseJson(text), 'detail');
  if (detail === null) return { problem: `${service} returned status 400.` };
  // The text is not signed, and people read it in terminals.
  const printable = detail.replace(/[^ -~]/g, '?').slice(0, MAX_DETAIL_CHARS);
  return { problem: `${service} does not accept this payment: ${printable}`, isInvalid: true };
}

function describeRateLimit(response: Response, service: string): string {
  const seconds = response.headers.get('retry-after') ?? '';
  const wait = /^[0-9]{1,5}$/.test(seconds) ? `in ${seconds} seconds` : 'later';
  return `The rate limit of ${service} is reached. Try again ${wait}.`;
}
