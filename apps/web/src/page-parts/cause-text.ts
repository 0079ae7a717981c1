import { STATUS_CODES } from 'node:http';

/** Description of a cause of failed probes, as the pages show it. */
interface CauseText {
  readonly label: string;
  /** True if the failure lowers the uptime. */
  readonly isDown: boolean;
  /** Effect of the failure on the uptime; null if it is unknown. */
  readonly effect: string | null;
  /** Link to the explanation of the effect. */
  readonly href: string;
}

const NOT_COUNTED = { isDown: false, effect: 'not counted in the uptime' } as const;

const LABELS: Readonly<Record<string, string>> = {
  timeout: 'No complete response in time',
  redirect: 'Redirect that was not followed',
  'dns-not-found': 'Host name not found',
  'dns-error': 'Error of the name servers',
  'connection-refused': 'Connection refused',
  'connection-reset': 'Connection closed by the server',
  'connection-error': 'Connection failed',
  'tls-certificate-expired': 'TLS certificate expired',
  'tls-certificate-not-yet-valid': 'TLS certificate not valid yet',
  'tls-certificate-untrusted': 'TLS certificate not trusted',
  'tls-hostname-mismatch': 'TLS certificate of another host name',
  'tls-version': 'Outdated TLS version',
  'tls-client-certificate': 'TLS client certificate required',
  'tls-unknown-host': 'No TLS certificate for the host name',
  'tls-missing': 'No TLS on this port',
  'tls-rejected': 'TLS handshake rejected by the server',
  'tls-error': 'TLS handshake failed',
  'http2-only': 'HTTP/2 only',
  'address-not-public': 'Address that is not public',
  'headers-too-large': 'Response headers too large',
  'not-http': 'Response is not HTTP',
  'invalid-response': 'Invalid HTTP response',
  'invalid-url': 'Invalid URL',
  unknown: 'Cause not recorded',
};

/** Statuses with which a server refuses this client. A probe with such a status does not change the uptime. */
const BLOCKED_STATUSES: ReadonlySet<string> = new Set(['401', '403', '407', '429', '451']);
/** Client error statuses that count as down. */
const DOWN_STATUSES: ReadonlySet<string> = new Set(['404', '410']);

/**
 * Describes a cause of failed probes.
 *
 * @param cause Name in kebab case, such as `timeout` or `http-410`. The label of an unknown name is the name itself.
 */
export function describeCause(cause: string): CauseText {
  const status = /^http-(\d{3})$/.exec(cause)?.[1];
  const label = status === undefined ? (LABELS[cause] ?? cause) : formatStatus(status);
  if (cause === 'unknown') return { label, isDown: false, effect: null, href: '/methodology#measured' };
  if (status !== undefined && BLOCKED_STATUSES.has(status))
    return { label, ...NOT_COUNTED, href: '/methodology#flag-blocked' };
  if (cause === 'redirect') return { label, ...NOT_COUNTED, href: '/methodology#flag-redirects' };
  if (status?.startsWith('4') === true && !DOWN_STATUSES.has(status))
    return { label, ...NOT_COUNTED, href: '/methodology#measured' };
  return { label, isDown: true, effect: 'counts as down', href: '/methodology#flag-down-now' };
}

function formatStatus(status: string): string {
  const name = STATUS_CODES[status];
  return name === undefined ? `HTTP ${status}` : `HTTP ${status} ${name}`;
}
