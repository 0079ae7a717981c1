import { parseRetryAfter } from '@touchstone/common';

type HeaderList = readonly (readonly [name: string, value: string])[];

const LINT_SAVED_RESPONSE = 'and lint it with --file.';

const ADVICE_BY_STATUS: ReadonlyMap<number, string> = new Map([
  [
    401,
    `The endpoint requires credentials, which this command does not send. Save the response to a request with credentials, ${LINT_SAVED_RESPONSE}`,
  ],
  [
    403,
    `The endpoint refused this request. If it accepts requests with an API key or from another network, save such a response, ${LINT_SAVED_RESPONSE}`,
  ],
  [407, 'A proxy requires credentials. Use a network without this proxy.'],
]);
const INCOMPLETE_REQUEST_ADVICE = `The endpoint expects a complete request. Add the missing parameters to the URL, set the method with --method, or save the response to a complete request, ${LINT_SAVED_RESPONSE}`;

/**
 * Returns advice on a response with a status such as 401 or 429, which does not show if the endpoint requires payment.
 *
 * @param now milliseconds since the epoch
 */
export function describeUndetermined(status: number, headers: HeaderList, now: number): string {
  if (status !== 429) return ADVICE_BY_STATUS.get(status) ?? INCOMPLETE_REQUEST_ADVICE;
  const pauseMs = parseRetryAfter({ get: (name) => findHeader(headers, name) }, now);
  const pause = pauseMs === null ? 'a while' : `${String(Math.ceil(pauseMs / 1_000))} seconds`;
  return `The endpoint limits the request rate. Wait ${pause}, and try again.`;
}

/** Returns the value of the Retry-After header (seconds or a date), or null without one. */
export function findRetryAfter(headers: HeaderList): string | null {
  return findHeader(headers, 'retry-after');
}

function findHeader(headers: HeaderList, lowerCaseName: string): string | null {
  return headers.find(([name]) => name.toLowerCase() === lowerCaseName)?.[1].trim() ?? null;
}
