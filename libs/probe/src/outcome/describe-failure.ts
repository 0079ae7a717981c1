import { STATUS_CODES } from 'node:http';
import { getHeaderValues, MAX_REDIRECTS } from '@touchstone/common';
import type { Phase, Probe, RequestFailure } from '../types.ts';
import {
  classifyUptime,
  BAD_TARGET_CODE,
  CLOSED_CODES,
  HEADERS_TOO_LARGE_CODE,
  HTTP2_CODE,
  NO_STATUS_LINE_CODE,
  type Outcome,
} from './classify-outcome.ts';
import { describeTlsFailure } from './describe-tls-failure.ts';

/** Phase in which a request failed; `response` when a complete response with an HTTP status is the reason. */
export type FailurePhase = Phase | 'response';

/** Reason why a probe did not succeed. */
export interface FailureDescription {
  readonly phase: FailurePhase;
  /** Stable name of the cause in kebab case, such as `timeout`, `tls-certificate-expired` or `http-404`. */
  readonly error: string;
  /** One sentence for payers, of at most 300 printable characters. */
  readonly detail: string;
}

/** Maximum length of a redirect target in a sentence, in characters. */
const MAX_TARGET_LENGTH = 200;
/** Maximum length of the origin of a redirect target in a sentence about another failure, in characters. */
const MAX_ORIGIN_LENGTH = 100;

/** Outcomes that depend on the HTTP status alone. */
const STATUS_OUTCOMES: ReadonlySet<Outcome> = new Set([
  'blocked',
  'client-error',
  'method-mismatch',
  'not-found',
  'server-error',
]);

/** Error codes of a host name without addresses. */
const NO_ADDRESS_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/** Name of the cause of a failure, and one sentence for payers. */
export type Cause = Pick<FailureDescription, 'error' | 'detail'>;

/**
 * Describes why a probe did not succeed.
 *
 * @returns null for a probe that counts as up, and for our own failure
 */
export function describeFailure(probe: Probe): FailureDescription | null {
  const { outcome } = probe;
  if (classifyUptime(outcome) === 'up' || outcome === 'self-failure') return null;
  if (outcome === 'redirected') return { phase: 'response', ...describeRedirect(probe) };
  return addRedirect(describeFailedRequest(probe), probe);
}

/** Adds the origin of the last redirect target, where the failure occurred, to a description. */
function addRedirect(description: FailureDescription, { redirects }: Probe): FailureDescription {
  const target = redirects.at(-1);
  if (target === undefined) return description;
  const origin = formatTarget(new URL('/', target.url).href, MAX_ORIGIN_LENGTH);
  return {
    ...description,
    detail: `${description.detail.replace(/\.$/, '')}, after a redirect to ${origin}.`,
  };
}

function describeFailedRequest(probe: Probe): FailureDescription {
  const { outcome, httpStatus, failure } = probe;
  if (httpStatus !== null && STATUS_OUTCOMES.has(outcome))
    return { phase: 'response', error: `http-${httpStatus}`, detail: formatStatus(httpStatus) };
  if (failure === null) {
    const detail = `The response has the status ${httpStatus ?? 0}, which HTTP does not define.`;
    return { phase: 'response', error: 'invalid-response', detail };
  }
  return { phase: failure.phase, ...describeCause(failure, probe) };
}

function formatStatus(status: number): string {
  const name = STATUS_CODES[status];
  return `HTTP ${status}${name === undefined ? '' : ` ${name}`}.`;
}

/** Returns the URL of the last request. */
function getLastUrl({ redirects, url }: Probe): string {
  return redirects.at(-1)?.url ?? url;
}

/** Returns the URL to which a probe was redirected last, followed or not; null without a redirect to an HTTP URL. */
export function getRedirectTarget(probe: Probe): string | null {
  const { outcome, redirects, headers } = probe;
  if (outcome !== 'redirected') return redirects.at(-1)?.url ?? null;
  const [location] = getHeaderValues(headers, 'location');
  const target = location === undefined ? null : URL.parse(location, getLastUrl(probe));
  return target !== null && /^https?:$/.test(target.protocol) ? target.href : null;
}

function describeRedirect(probe: Probe): Cause {
  const url = getRedirectTarget(probe);
  const times =
    probe.redirects.length < MAX_REDIRECTS ? '' : ` more than ${MAX_REDIRECTS} times, the last time`;
  const to = url === null ? 'without a valid target' : `to ${formatTarget(url, MAX_TARGET_LENGTH)}`;
  return {
    error: 'redirect',
    detail: `The endpoint redirects${times} ${to} (HTTP ${probe.httpStatus ?? 0}).`,
  };
}

/** Returns the absolute URL of a redirect in ASCII, without credentials and query, truncated to a maximum length. */
function formatTarget(url: string, maxLength: number): string {
  const target = new URL(url);
  target.username = '';
  target.password = '';
  target.search = '';
  const { href } = target;
  return href.length > maxLength ? `${href.slice(0, maxLength)}…` : href;
}

function describeCause(failure: RequestFailure, probe: Probe): Cause {
  if (failure.code === BAD_TARGET_CODE)
    return { error: 'invalid-url', detail: 'The URL is not an HTTP URL with a port that clients accept.' };
  switch (probe.outcome) {
    case 'timeout':
      return { error: 'timeout', detail: describeTimeout(failure, probe) };
    case 'dns-error':
      return describeDnsError(failure);
    case 'tls-error':
      if (failure.code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL') return HTTP2_ONLY;
      return describeTlsFailure(failure, new URL(getLastUrl(probe)).hostname);
    case 'refused-address':
      return {
        error: 'address-not-public',
        detail: 'The host name resolves to an address that is not public.',
      };
    case 'protocol-error':
      return describeProtocolError(failure);
    default:
      return describeConnectionError(failure);
  }
}

function describeTimeout({ phase, limitMs }: RequestFailure, { totalMs, httpStatus }: Probe): string {
  // A timeout of the operating system has no `limitMs`. The text then contains the duration of the request.
  const limit = formatDuration(limitMs ?? totalMs);
  switch (phase) {
    case 'resolve':
      return `The name servers of the host sent no response within ${limit}.`;
    case 'connect':
      return `The server did not accept a connection within ${limit}.`;
    case 'tls':
      return `The TLS handshake did not finish within ${limit}.`;
    case 'processing':
      return `No response within ${limit}.`;
    case 'transfer':
      return `The response${httpStatus === null ? '' : ` (HTTP ${httpStatus})`} was incomplete after ${limit}.`;
  }
}

function describeDnsError({ code }: RequestFailure): Cause {
  if (NO_ADDRESS_CODES.has(code))
    return { error: 'dns-not-found', detail: 'The host name does not resolve.' };
  return { error: 'dns-error', detail: `The name servers of the host returned an error (${code}).` };
}

/** Cause of a server that does not speak HTTP/1.1, the only version that Node's fetch uses. */
const HTTP2_ONLY: Cause = {
  error: 'http2-only',
  detail: "The server speaks only HTTP/2, but Node's fetch and many other clients send HTTP/1.1.",
};

function describeProtocolError({ code, message }: RequestFailure): Cause {
  switch (code) {
    case HEADERS_TOO_LARGE_CODE:
      return {
        error: 'headers-too-large',
        detail: 'The response headers are longer than 16 KiB in total.',
      };
    case HTTP2_CODE:
      return HTTP2_ONLY;
    case NO_STATUS_LINE_CODE:
      return { error: 'not-http', detail: 'The response does not begin with an HTTP status line.' };
    default: {
      const reason = message
        .replace(/^Parse Error: /, '')
        .replace(/[^ -~]/g, '')
        .slice(0, 100);
      return {
        error: 'invalid-response',
        detail: `The response is not valid HTTP${reason === '' ? '' : `: ${reason}`} (${code}).`,
      };
    }
  }
}

function describeConnectionError({ phase, code }: RequestFailure): Cause {
  if (code === 'ECONNREFUSED') return { error: 'connection-refused', detail: 'The connection was refused.' };
  if (!CLOSED_CODES.has(code))
    return { error: 'connection-error', detail: `The connection failed (${code}).` };
  const time = phase === 'transfer' ? 'before the end of the response' : 'before it sent a response';
  return { error: 'connection-reset', detail: `The server closed the connection ${time}.` };
}

/** Formats a duration as text: in whole seconds from one second, otherwise in milliseconds. */
function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 1) return `${Math.round(ms)} milliseconds`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
