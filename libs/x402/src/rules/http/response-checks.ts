import { isPublicHost, isRedirectStatus } from '@touchstone/common';
import { findDeclaredMethod } from '../../challenge/bazaar-extension.ts';
import { isTestnet } from '../../networks/networks.ts';
import { findOfferedEnvelope, findOfferedOptions } from '../offered-options.ts';
import { passIf, type Outcome, type RuleInput } from '../rule.ts';
import { quote } from '../../json/untrusted-json.ts';
import {
  exceedsNodeLimit,
  explainHeaderSize,
  explainUnreadBody,
  hasTooManyCodings,
  TOO_MANY_CODINGS,
} from '../../challenge/read-header.ts';

/**
 * Statuses that do not show whether payment is required. They can mean that authentication is missing, that the client
 * is rate-limited or blocked, that the request lacks a header or has the wrong method, or that its empty body is
 * invalid.
 */
const INCONCLUSIVE_STATUSES = new Set([400, 401, 403, 406, 407, 409, 411, 412, 415, 422, 426, 428, 429, 451]);
/** Status of a server that does not support the request method. Rules do not count 501 as a server error. */
const NOT_IMPLEMENTED = 501;
/** Statuses that an endpoint may send because it does not support the request method. */
const METHOD_STATUSES = new Set([404, 405, NOT_IMPLEMENTED]);

export function checkReachable({ noResponseReason }: RuleInput): Outcome {
  return passIf(noResponseReason === null, () => `The endpoint did not respond: ${noResponseReason ?? ''}.`);
}

/**
 * Checks that an unpaid request gets status 402. Skips redirects and server errors, because other rules report them. If
 * the seller declares another request method, a response that refuses the method is skipped.
 */
export function checkStatus(input: RuleInput): Outcome {
  const { noResponseReason, method, status } = input;
  if (noResponseReason !== null || INCONCLUSIVE_STATUSES.has(status)) return 'skip';
  if (isRedirectStatus(status) || isServerFailure(status)) return 'skip';
  if (METHOD_STATUSES.has(status) && isUndeclaredMethod(input)) return 'skip';
  const request = method === null ? 'request' : `${method} request`;
  return passIf(
    status === 402,
    () => `The unpaid ${request} got status ${String(status)}: ${explainStatus(input)}`,
  );
}

/** Returns true if the seller declares a method other than the method of the request. */
function isUndeclaredMethod(input: RuleInput): boolean {
  const declared = getDeclaredMethod(input);
  return declared !== null && input.method !== null && input.method !== declared;
}

function explainStatus(input: RuleInput): string {
  const { status } = input;
  if (findOfferedEnvelope(input) !== null)
    return 'the response has a payment envelope, which clients read only with status 402.';
  if (status >= 200 && status < 300) return 'the resource requires no payment.';
  if (status === 404 || status === 410) return 'the path does not exist, or does not support this method.';
  if (status === 405 || status === NOT_IMPLEMENTED) return 'the endpoint does not support this method.';
  return 'only 402 requests payment.';
}

/** Checks that the server did not respond with a 5xx error. */
export function checkServerError({ noResponseReason, status }: RuleInput): Outcome {
  if (noResponseReason !== null || status === NOT_IMPLEMENTED) return 'skip';
  return passIf(
    !isServerFailure(status),
    () => `The server failed with status ${String(status)} before it requested payment.`,
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
 * Checks that the endpoint requires payment for the request method that the seller declares. If only another method was
 * challenged, checks the response to a separate request with the declared method. Skips redirects. Also skips other
 * statuses than 402 if the checked response is that of the declared method, because other rules report them. Some
 * sellers send a server error or 404 because the input is missing.
 */
export function checkDeclaredMethod(input: RuleInput): Outcome {
  const { noResponseReason, method, declaredMethod } = input;
  const declared = getDeclaredMethod(input);
  if (noResponseReason !== null || declared === null || method === null) return 'skip';
  if (method === declared) return input.status === 402 ? 'pass' : 'skip';
  const status = declaredMethod?.method === declared ? declaredMethod.status : null;
  if (status === null || INCONCLUSIVE_STATUSES.has(status) || isRedirectStatus(status)) return 'skip';
  if (status === 402) return 'pass';
  const message = `A request with the declared method ${declared} got status ${String(status)} instead of 402, while ${method} got status ${String(input.status)}.`;
  const mayMissInput = status === 404 || status === 410 || isServerFailure(status);
  return mayMissInput
    ? { message: `${message} The empty request may be the cause.`, severity: 'warning' }
    : { message };
}

/** Returns true for a server error other than 501, which refuses the request method. */
function isServerFailure(status: number): boolean {
  return status >= 500 && status < 600 && status !== NOT_IMPLEMENTED;
}

/**
 * Returns the request method that the seller declares in the challenge, or else in the directory listing. Returns null
 * when neither declares a method.
 */
function getDeclaredMethod({ v2, v1, listing }: Pick<RuleInput, 'v2' | 'v1' | 'listing'>): string | null {
  return findDeclaredMethod(v2?.bazaar ?? null, v1?.entries ?? []) ?? listing?.method ?? null;
}

const NGINX_HEADER_BUFFER_BYTES = 8_192;
/** Maximum number of characters that are read from a comma-separated header. Clients reject longer headers. */
const MAX_LIST_HEADER_CHARS = 16_384;
const PAYMENT_HEADERS = ['payment-required', 'payment-response'];

/** Checks that Cache-Control keeps shared caches from serving the challenge to another buyer. */
export function checkCacheControl({ headers, v2 }: RuleInput): Outcome {
  const directives = new Map(parseListHeader(headers, 'cache-control').map(parseDirective));
  if (directives.size === 0) {
    // Caches store a 402 response only when a header allows it (RFC 9111, 3), so a missing Cache-Control is harmless.
    // In version 2 a missing header fails, because the reference server always sends no-store.
    return v2 === null ? 'skip' : { message: 'The response has no Cache-Control header.' };
  }
  if (directives.has('no-store') || directives.has('private')) return 'pass';
  const isFresh = ['max-age', 's-maxage'].some((name) => Number(directives.get(name)) > 0);
  return directives.has('public') || (isFresh && !directives.has('no-cache'))
    ? {
        message: 'Cache-Control lets caches store this challenge and serve it to other buyers.',
        severity: 'error',
      }
    : { message: 'Cache-Control contains neither no-store nor private.' };
}

/** Splits a Cache-Control directive into name and argument. The argument may be quoted (RFC 9111, 5.2). */
function parseDirective(directive: string): [name: string, argument: string] {
  const equals = directive.indexOf('=');
  if (equals === -1) return [directive, ''];
  return [
    directive.slice(0, equals).trim(),
    directive
      .slice(equals + 1)
      .replaceAll('"', '')
      .trim(),
  ];
}

/** Checks that a version 1 challenge has a JSON content type. */
export function checkContentType({ headers, v1 }: RuleInput): Outcome {
  if (v1 === null) return 'skip';
  const [type] = headers.get('content-type') ?? [];
  if (type === undefined)
    return { message: 'The version 1 challenge in the body has no Content-Type header.' };
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  return passIf(
    essence === 'application/json' || essence.endsWith('+json'),
    () =>
      `The Content-Type of the version 1 challenge is ${quote(type)}; it should be a JSON type such as application/json.`,
  );
}

/** Checks that CORS exposes the payment headers to every cross-origin page that can read the response. */
export function checkCorsExpose({ headers, header }: RuleInput): Outcome {
  if (header.state === 'absent' || parseListHeader(headers, 'access-control-allow-origin').length === 0)
    return 'skip';
  const exposed = new Set(parseListHeader(headers, 'access-control-expose-headers'));
  // If the response allows credentials, `*` exposes no headers, because `*` is then a literal header name (Fetch
  // standard).
  const withCredentials = parseListHeader(headers, 'access-control-allow-credentials').includes('true');
  if (exposed.has('*') && !withCredentials) return 'pass';
  const hidden = PAYMENT_HEADERS.filter((name) => !exposed.has(name)).map((name) => name.toUpperCase());
  return passIf(
    hidden.length === 0,
    () => `Cross-origin pages can read the response, but not its header ${hidden.join(' and ')}.`,
  );
}

/**
 * Checks that Node.js clients can read the response headers, and that the PAYMENT-REQUIRED header is short enough for
 * common proxies.
 */
export function checkChallengeSize({ header, headerBytes }: RuleInput): Outcome {
  if (exceedsNodeLimit(headerBytes))
    return { message: explainHeaderSize(headerBytes), severity: 'error', axis: 'payable' };
  if (header.state === 'absent') return 'skip';
  const { length } = header;
  return passIf(
    length <= NGINX_HEADER_BUFFER_BYTES,
    () => `PAYMENT-REQUIRED has ${String(length)} characters; many proxies accept at most 8 KB of headers.`,
  );
}

/** Checks that clients can read the body to its end, which they do before they sign a payment. */
export function checkBodyComplete({ header, headers, bodyEnd }: RuleInput): Outcome {
  if (hasTooManyCodings(headers)) return { message: TOO_MANY_CODINGS };
  if (bodyEnd === 'size-limit' || bodyEnd === 'too-long') return 'skip';
  if (bodyEnd === 'complete') return 'pass';
  const message = explainUnreadBody(bodyEnd);
  // Version 2 clients ignore a body that they cannot read. Source: @x402/fetch 2.27, `wrapFetchWithPayment`.
  return bodyEnd !== 'deadline' && header.state === 'read'
    ? {
        message: `${message} Version 2 clients pay from the header all the same; version 1 clients fail.`,
        severity: 'warning',
      }
    : { message };
}

const CONTINUE = 100;

/** Checks that no interim response 100 makes clients close the connection. Clients send no Expect header. */
export function checkInterim({ interimStatuses }: RuleInput): Outcome {
  return passIf(
    !interimStatuses.includes(CONTINUE),
    'An interim response with status 100 came first, although the request did not ask for it. Clients that use fetch of Node.js close the connection; clients that use axios pay.',
  );
}

/** Returns the elements of a comma-separated header in lower case. Combines all header fields with that name. */
function parseListHeader(headers: RuleInput['headers'], name: string): string[] {
  return (headers.get(name) ?? [])
    .flatMap((value) => value.slice(0, MAX_LIST_HEADER_CHARS).toLowerCase().split(','))
    .map((element) => element.trim())
    .filter((element) => element !== '');
}
