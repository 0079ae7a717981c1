import { declaredMethodOf } from './declared-method.ts';
import { isTestnet } from '../networks.ts';
import { offeredOptions } from './offers.ts';
import { isPublicHost } from '../public-host.ts';
import { expect, type Outcome, type Subject } from './rule.ts';
import { quote } from '../text.ts';

/**
 * Statuses that leave open how an unpaid request of the right kind is answered: a key is asked for, the caller
 * is held back, or the empty request did not fit.
 */
const UNDETERMINED = new Set([400, 401, 403, 407, 415, 422, 429]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** "Not implemented" speaks of the method, though it is of the server's class. */
const NOT_IMPLEMENTED = 501;
/** Statuses that may speak of the method alone. */
const OF_THE_METHOD = new Set([404, 405, NOT_IMPLEMENTED]);

/** Was there any answer? */
export function checkReachable({ silence }: Subject): Outcome {
  return expect(silence === null, () => `No answer came: ${silence ?? ''}.`);
}

/** Is an unpaid request answered 402? That an endpoint turns down a method its seller does not declare says nothing. */
export function checkStatus(subject: Subject): Outcome {
  const { silence, status } = subject;
  if (silence !== null || UNDETERMINED.has(status)) return 'skip';
  if (OF_THE_METHOD.has(status) && isUndeclared(subject)) return 'skip';
  return expect(
    status === 402,
    () => `The unpaid request was answered with status ${String(status)}: ${meaning(status)}`,
  );
}

/** True where the seller declares another method than the request has. */
function isUndeclared(subject: Subject): boolean {
  const declared = declaredMethodOf(subject);
  return declared !== null && subject.method !== null && subject.method !== declared;
}

function meaning(status: number): string {
  if (status >= 200 && status < 300) return 'the resource is not gated.';
  if (status === 404 || status === 410) return 'nothing is served at this path, or not for this method.';
  if (status === 405 || status === NOT_IMPLEMENTED) return 'the endpoint does not take this method.';
  if (REDIRECTS.has(status)) return 'it was sent elsewhere before it was asked to pay.';
  if (isServerError(status)) return 'the server failed before it asked to be paid.';
  return 'only 402 asks for payment.';
}

/** Does the server hold up? */
export function checkServerError({ silence, status }: Subject): Outcome {
  if (silence !== null || status === NOT_IMPLEMENTED) return 'skip';
  return expect(!isServerError(status), () => `The server failed with status ${String(status)}.`);
}

/** Is the request answered where it was sent? */
export function checkRedirect({ silence, status, headers }: Subject): Outcome {
  if (silence !== null) return 'skip';
  const place = headers.get('location')?.[0];
  const target = place === undefined ? '' : ` to ${quote(place)}`;
  return expect(
    !REDIRECTS.has(status),
    () => `The request is redirected${target} with status ${String(status)}.`,
  );
}

/** Does the request travel encrypted? Graver where the money is real; of no matter on a host at home. */
export function checkHttps(subject: Subject): Outcome {
  const url = URL.parse(subject.url);
  const options = offeredOptions(subject);
  if (url === null || options.length === 0 || !isPublicHost(url)) return 'skip';
  if (url.protocol !== 'http:') return url.protocol === 'https:' ? 'pass' : 'skip';
  const message =
    'The endpoint is asked over http, so anybody on the way can put another wallet into its terms.';
  return options.every(({ network }) => isTestnet(network)) ? { message, severity: 'warning' } : { message };
}

/** Is the declared method the one that is gated? A redirect or a failing server says nothing about the method. */
export function checkDeclaredMethod(subject: Subject): Outcome {
  const { silence, status, method } = subject;
  const declared = declaredMethodOf(subject);
  if (silence !== null || declared === null || method !== declared) return 'skip';
  const leavesOpen =
    UNDETERMINED.has(status) ||
    REDIRECTS.has(status) ||
    (isServerError(status) && status !== NOT_IMPLEMENTED);
  if (leavesOpen) return 'skip';
  return expect(
    status === 402,
    () => `${declared} is the declared method, and it was answered with status ${String(status)}.`,
  );
}

function isServerError(status: number): boolean {
  return status >= 500 && status < 600;
}
