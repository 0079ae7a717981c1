import { findDeclaredMethod } from '../../challenge/discovery.ts';
import { isTestnet } from '../../networks/networks.ts';
import { findOfferedOptions } from '../offered-options.ts';
import { isPublicHost } from '../../urls/public-host.ts';
import { passIf, type Outcome, type RuleInput } from '../rule.ts';
import { quote } from '../../json/clean-text.ts';

/**
 * Statuses that do not show whether payment is required: authentication is missing, the client is rate-limited or
 * blocked, or the empty request is invalid.
 */
const INCONCLUSIVE_STATUSES = new Set([400, 401, 403, 407, 415, 422, 429]);
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** Status of a server that does not support the request method. Rules do not count 501 as a server error. */
const NOT_IMPLEMENTED = 501;
/** Statuses that may mean only that the endpoint does not support the request method. */
const METHOD_STATUSES = new Set([404, 405, NOT_IMPLEMENTED]);

/** Checks that the endpoint responded. */
export function checkReachable({ noResponseReason }: RuleInput): Outcome {
  return passIf(noResponseReason === null, () => `The endpoint did not respond: ${noResponseReason ?? ''}.`);
}

/**
 * Checks that an unpaid request gets status 402. Skips a response that refuses the request method if the seller
 * declares a different method.
 */
export function checkStatus(input: RuleInput): Outcome {
  const { noResponseReason, status } = input;
  if (noResponseReason !== null || INCONCLUSIVE_STATUSES.has(status)) return 'skip';
  if (METHOD_STATUSES.has(status) && isUndeclaredMethod(input)) return 'skip';
  return passIf(
    status === 402,
    () => `The unpaid request got status ${String(status)}: ${explainStatus(status)}`,
  );
}

/** Returns true when the seller declares a different method than the request used. */
function isUndeclaredMethod(input: RuleInput): boolean {
  const declared = getDeclaredMethod(input);
  return declared !== null && input.method !== null && input.method !== declared;
}

function explainStatus(status: number): string {
  if (status >= 200 && status < 300) return 'the resource requires no payment.';
  if (status === 404 || status === 410) return 'the path does not exist, or does not support this method.';
  if (status === 405 || status === NOT_IMPLEMENTED) return 'the endpoint does not support this method.';
  if (REDIRECT_STATUSES.has(status)) return 'it was redirected before payment was requested.';
  if (isServerError(status)) return 'the server failed before it requested payment.';
  return 'only 402 requests payment.';
}

/** Checks that the server did not respond with a 5xx error. */
export function checkServerError({ noResponseReason, status }: RuleInput): Outcome {
  if (noResponseReason !== null || status === NOT_IMPLEMENTED) return 'skip';
  return passIf(!isServerError(status), () => `The server failed with status ${String(status)}.`);
}

/** Checks that the request was not redirected. */
export function checkRedirect({ noResponseReason, status, headers }: RuleInput): Outcome {
  if (noResponseReason !== null) return 'skip';
  const location = headers.get('location')?.[0];
  const target = location === undefined ? '' : ` to ${quote(location)}`;
  return passIf(
    !REDIRECT_STATUSES.has(status),
    () => `The request is redirected${target} with status ${String(status)}.`,
  );
}

/**
 * Checks that the endpoint uses https. Skips hosts that are not public. The severity is lower if every payment option
 * is on a test network.
 */
export function checkHttps(input: RuleInput): Outcome {
  const url = URL.parse(input.url);
  const options = findOfferedOptions(input);
  if (url === null || options.length === 0 || !isPublicHost(url)) return 'skip';
  if (url.protocol !== 'http:') return url.protocol === 'https:' ? 'pass' : 'skip';
  const message = 'The endpoint uses http, so an attacker on the network path can replace the payTo wallet.';
  return options.every(({ network }) => isTestnet(network)) ? { message, severity: 'warning' } : { message };
}

/**
 * Checks that a request with the method that the seller declares requires payment. Skips statuses that do not depend on
 * the method, such as redirects and server errors.
 */
export function checkDeclaredMethod(input: RuleInput): Outcome {
  const { noResponseReason, status, method } = input;
  const declared = getDeclaredMethod(input);
  if (noResponseReason !== null || declared === null || method !== declared) return 'skip';
  const isInconclusive =
    INCONCLUSIVE_STATUSES.has(status) ||
    REDIRECT_STATUSES.has(status) ||
    (isServerError(status) && status !== NOT_IMPLEMENTED);
  if (isInconclusive) return 'skip';
  return passIf(
    status === 402,
    () => `A request with the declared method ${declared} got status ${String(status)} instead of 402.`,
  );
}

function isServerError(status: number): boolean {
  return status >= 500 && status < 600;
}

/**
 * Returns the request method that the seller declares in the challenge, or else in the directory listing. Returns null
 * when neither declares a method.
 */
function getDeclaredMethod({ v2, v1, listing }: Pick<RuleInput, 'v2' | 'v1' | 'listing'>): string | null {
  return findDeclaredMethod(v2?.bazaar ?? null, v1?.entries ?? []) ?? listing?.method ?? null;
}
