import {
  type Redirect,
  formatCount,
  getHeaderValues,
  isRedirectStatus,
  parseRetryAfter,
} from '@touchstone/common';
import { describeFailure, type Probe } from '@touchstone/probe';

/** Words for the next step of a user, which differ between the command line and the page. */
export interface Advice {
  /** Clause that says how to check a response that only the user can get, such as `and lint it with --file`. */
  readonly checkSaved: string;
  /** Clause that says how to choose a method, such as `--method PUT`. */
  readonly chooseMethod: (method: string) => string;
  /** Sentence for a certificate of an authority that is not trusted; null where the user cannot change that. */
  readonly trustAuthority: string | null;
}

type HeaderList = readonly (readonly [name: string, value: string])[];

/** Advice by status. `{saved}` stands for the clause on saved responses. */
const ADVICE_BY_STATUS: ReadonlyMap<number, string> = new Map([
  [
    401,
    'The endpoint requires credentials, and the request had none. Save the response to a request with credentials, {saved}.',
  ],
  [
    403,
    'The endpoint refused this request. If it accepts requests with an API key or from another network, save such a response, {saved}.',
  ],
  [
    402,
    'The body was not read to its end. Shorten the body, and send the payment terms in the PAYMENT-REQUIRED header.',
  ],
  [407, 'A proxy requires credentials. Use a network without this proxy.'],
  [
    451,
    'The endpoint refuses requests from here for legal reasons. If it accepts requests from another network, save such a response, {saved}.',
  ],
]);

/**
 * Returns advice on a response with a status such as 401 or 429, which does not show if clients can pay the endpoint.
 *
 * @param options.now milliseconds since the epoch
 */
export function describeUndetermined(
  status: number,
  headers: HeaderList,
  { now, advice }: { readonly now: number; readonly advice: Advice },
): string {
  if (isRedirectStatus(status))
    return 'This response does not show the payment terms. Check the target of the redirect, which http-no-redirect names.';
  if (status !== 429) {
    const text =
      ADVICE_BY_STATUS.get(status) ??
      `The endpoint expects a complete request. Add the missing parameters to the URL, ${advice.chooseMethod('POST')}, or save the response to a complete request, {saved}.`;
    return text.replace('{saved}', advice.checkSaved);
  }
  const pauseMs = parseRetryAfter({ get: (name) => findHeader(headers, name) }, now);
  // A date in the past means no pause.
  const seconds = Math.ceil((pauseMs ?? 0) / 1_000);
  const pause = seconds === 0 ? 'a while' : formatCount(seconds, 'second');
  return `The endpoint limits the request rate. Wait ${pause}, and try again.`;
}

/** Creates a note that names the URL whose response was checked. Returns null for a response without redirects. */
export function createRedirectNote(redirects: readonly Redirect[]): string | null {
  const target = redirects.at(-1);
  if (target === undefined) return null;
  return `The checked response came from ${target.url}, after ${formatCount(redirects.length, 'redirect')}.`;
}

/**
 * Creates a note on the methods that were requested before the method of the checked response.
 *
 * @param methods requested methods in their order
 */
export function createMethodNote({ method }: Probe, methods: readonly string[]): string | null {
  const [first] = methods;
  if (first === undefined || first === method) return null;
  return `The checked response is that of ${method}, because ${first} was not challenged.`;
}

/** Returns the value of the Retry-After header (seconds or a date); null if the response has no such header. */
export function findRetryAfter(headers: HeaderList): string | null {
  return findHeader(headers, 'retry-after');
}

function findHeader(headers: HeaderList, lowerCaseName: string): string | null {
  return getHeaderValues(headers, lowerCaseName)[0]?.trim() ?? null;
}

/** Pattern of a placeholder in braces, anywhere in a URL. JSON in a query does not match. */
const IN_BRACES = /\{[\w.:+*~-]+\}/g;
/** Pattern of a path segment that is a placeholder with a colon, such as `:id`. */
const AFTER_COLON = /(?<=\/):[A-Za-z_][\w.-]*(?=\/|$)/g;
/** Pattern of the scheme, host and port of a URL. */
const ORIGIN = /^[^/?#]*\/\/[^/?#]*/;

/**
 * Creates a note that names the placeholders of a URL template: `{id}`, `%7Bid%7D` or `:id`. Returns no note for a URL
 * without placeholders.
 */
export function createPlaceholderNotes(url: string): string[] {
  const names = findPlaceholders(url);
  if (names.length === 0) return [];
  const [placeholders, them] = names.length === 1 ? ['the placeholder', 'it'] : ['the placeholders', 'them'];
  return [
    `The URL contains ${placeholders} ${names.join(', ')}; replace ${them} before paying: as it is, the URL cannot be paid.`,
  ];
}

/** Returns each placeholder of a URL once, in the form of the URL: `{id}` or `:id`. */
export function findPlaceholders(url: string): readonly string[] {
  const [decoded = ''] = url.replace(/%7B/gi, '{').replace(/%7D/gi, '}').split('#');
  const [path = ''] = decoded.replace(ORIGIN, '').split('?');
  return [...new Set([...(decoded.match(IN_BRACES) ?? []), ...(path.match(AFTER_COLON) ?? [])])];
}

/** HTTP methods that a paid endpoint can use. */
export const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Returns the advice to try another HTTP method; null when the response does not suggest that the method is wrong.
 *
 * @param tried methods that were tried before, in capitals
 */
export function findMethodHint(
  { outcome, method, httpStatus, headers }: Probe,
  tried: readonly string[],
  { chooseMethod }: Advice,
): string | null {
  const [next = null] = METHODS.filter((other) => !tried.includes(other) && other !== method);
  if (next === null) return null;
  if (outcome === 'free' && method === 'GET') {
    const requested = tried.includes('POST') ? 'GET and POST were requested.' : 'GET was requested.';
    return `${requested} If another method requires payment, ${chooseMethod(next)}.`;
  }
  if (httpStatus !== 405 && httpStatus !== 501) return null;
  const untried = readAllowedMethods(headers).filter((allowed) => !tried.includes(allowed));
  const [first = null] = untried;
  return first === null
    ? `If another method requires payment, ${chooseMethod(next)}.`
    : `The Allow header lists ${untried.join(', ')}; ${chooseMethod(first)}.`;
}

function readAllowedMethods(headers: Probe['headers']): string[] {
  const names = getHeaderValues(headers, 'allow').flatMap((value) => value.toUpperCase().split(/[\s,]+/));
  return METHODS.filter((method) => names.includes(method));
}

/** Error codes of certificate chains that may be valid, but whose certificate authority this machine does not trust. */
const UNKNOWN_AUTHORITY_CODES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Returns the reason why a probe got no response, as a part of a sentence. Returns null when a status was received, even
 * if the body is incomplete.
 */
export function describeMissingResponse(probe: Probe): string | null {
  const { httpStatus } = probe;
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 600) return null;
  const description = describeFailure(probe);
  if (description === null) return null;
  const reason = description.detail.replace(/\.$/, '');
  // An acronym such as TLS stays in capitals.
  return /^[A-Z]{2}/.test(reason) ? reason : reason.charAt(0).toLowerCase() + reason.slice(1);
}

/** Returns advice on a certificate that only this machine may not trust; null for other failures. */
export function createTlsNote(failure: Probe['failure'], { trustAuthority }: Advice): string | null {
  return failure !== null && UNKNOWN_AUTHORITY_CODES.has(failure.code) ? trustAuthority : null;
}

/** Fixes by the cause of a missing response. */
const FIX_BY_CAUSE: ReadonlyMap<string, string> = new Map([
  [
    'headers-too-large',
    'Shorten the headers, mainly the examples and schemas in PAYMENT-REQUIRED. Many servers and clients accept only 8 or 16 KiB of headers in total.',
  ],
  ['http2-only', 'Let the server accept HTTP/1.1 too. With TLS, it must also select http/1.1 in ALPN.'],
  [
    'not-http',
    'Make sure that a web server uses the port of the URL, and that it begins responses with a status line such as HTTP/1.1 402 Payment Required.',
  ],
  [
    'invalid-response',
    'Correct the status line and the headers of the response. Strict parsers, such as that of Node, reject the response.',
  ],
  ['tls-version', 'Enable TLS 1.2 or TLS 1.3 on the server.'],
  ['tls-client-certificate', 'Do not require client certificates on the paid path.'],
  ['tls-unknown-host', 'Configure the host name of the URL on the server, with a certificate for this name.'],
  ['tls-missing', 'Enable TLS on the port of the URL, or publish the URL with the port that uses TLS.'],
  [
    'tls-rejected',
    'Configure a certificate for the host name, allow the common ciphers of TLS 1.2 or TLS 1.3, and do not require client certificates.',
  ],
  ['tls-certificate-expired', 'Renew the certificate, and restart or reload the server.'],
  ['tls-hostname-mismatch', 'Install a certificate that names the host as a subject alternative name.'],
  [
    'tls-certificate-untrusted',
    'Install a certificate of a public authority with all its intermediate certificates. Browsers may load missing intermediate certificates, but payers do not.',
  ],
]);

/** Returns a specific fix for a missing response; null when the general fix of the compliance rule applies. */
export function findFailureFix(probe: Probe): string | null {
  return FIX_BY_CAUSE.get(describeFailure(probe)?.error ?? '') ?? null;
}

/**
 * Returns the reason why the body of a response is incomplete; null for a complete body, and for a body that had not
 * ended at the time limit, which is the failed check `http-body-complete`.
 */
export function describeIncompleteBody({ bodyEnd, failure, httpStatus }: Probe): string | null {
  if (failure === null || httpStatus === null || bodyEnd === 'deadline') return null;
  const consequence = 'Only the headers were checked.';
  if (bodyEnd === 'closed') return `The connection failed during the body (${failure.code}). ${consequence}`;
  return `The body could not be decoded (${failure.message}). ${consequence}`;
}
