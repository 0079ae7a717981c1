import type { CertificateFacts, RequestFailure } from '../types.ts';
import type { Cause } from './describe-failure.ts';

/** Maximum length of a host name in a sentence, in characters. */
const MAX_HOST_LENGTH = 100;

/** Reasons why a certificate chain is not trusted, by error code of OpenSSL. */
const UNTRUSTED_REASONS: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its authority is self-signed and unknown'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'its issuer is unknown'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its issuer is unknown'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the server does not send the certificate of its issuer'],
  ['CERT_SIGNATURE_FAILURE', 'its signature is invalid'],
  ['CERT_CHAIN_TOO_LONG', 'its chain is too long'],
  ['CERT_REVOKED', 'it is revoked'],
  ['CERT_UNTRUSTED', 'its authority is not trusted'],
  ['CERT_REJECTED', 'its authority is rejected'],
  ['INVALID_CA', 'its issuer is not a certificate authority'],
  ['INVALID_PURPOSE', 'it is not issued for servers'],
]);

const OLD_VERSION: Cause = {
  error: 'tls-version',
  detail: 'The server supports neither TLS 1.2 nor TLS 1.3, and clients reject older versions.',
};
const CLIENT_CERTIFICATE: Cause = {
  error: 'tls-client-certificate',
  detail: 'The server requires a client certificate, which payers do not have.',
};

/** Causes that the error code of OpenSSL names. */
const CAUSE_BY_CODE: ReadonlyMap<string, Cause> = new Map([
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', OLD_VERSION],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', OLD_VERSION],
  // No certificate was sent to the server, so an alert about a bad certificate means a missing client certificate.
  ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', CLIENT_CERTIFICATE],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', CLIENT_CERTIFICATE],
  [
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
    {
      error: 'tls-rejected',
      detail:
        'The server rejected the TLS handshake: it has no certificate for the host name, shares no cipher with clients, or requires a client certificate.',
    },
  ],
  [
    'ERR_SSL_TLSV1_UNRECOGNIZED_NAME',
    { error: 'tls-unknown-host', detail: 'The server has no TLS certificate for this host name.' },
  ],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    { error: 'tls-missing', detail: 'The server does not use TLS on this port.' },
  ],
]);

/**
 * Describes a failed TLS handshake.
 *
 * @param host host name or IP address in the URL of the endpoint
 */
export function describeTlsFailure(failure: RequestFailure, host: string): Cause {
  const { code, certificate } = failure;
  if (code === 'CERT_HAS_EXPIRED') {
    const detail = `TLS certificate expired${formatDay(certificate?.validTo)}.`;
    return { error: 'tls-certificate-expired', detail };
  }
  if (code === 'CERT_NOT_YET_VALID') {
    const day = formatDay(certificate?.validFrom);
    const detail =
      day === '' ? 'The TLS certificate is not yet valid.' : `The TLS certificate becomes valid${day}.`;
    return { error: 'tls-certificate-not-yet-valid', detail };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return { error: 'tls-hostname-mismatch', detail: describeMismatch(certificate, host) };
  const known = CAUSE_BY_CODE.get(code);
  if (known !== undefined) return known;
  const reason = UNTRUSTED_REASONS.get(code);
  if (reason !== undefined)
    return { error: 'tls-certificate-untrusted', detail: `The TLS certificate is not trusted: ${reason}.` };
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return {
      error: 'connection-reset',
      detail: 'The server closed the connection during the TLS handshake.',
    };
  return { error: 'tls-error', detail: `The TLS handshake failed: ${describeOpenSslError(failure)}.` };
}

function formatDay(time: string | null | undefined): string {
  return time === null || time === undefined ? '' : ` on ${time.slice(0, 10)}`;
}

function describeMismatch(certificate: CertificateFacts | undefined, urlHost: string): string {
  const host = urlHost.replace(/\.$/, '').slice(0, MAX_HOST_LENGTH);
  const [name] = certificate?.names ?? [];
  if (certificate === undefined || name === undefined) return `The TLS certificate is not valid for ${host}.`;
  const others = certificate.nameCount - 1;
  const more = others === 0 ? '' : ` and ${others} other ${others === 1 ? 'name' : 'names'}`;
  return `The TLS certificate is valid for ${name}${more}, not for ${host}.`;
}

/**
 * Returns the reason in an OpenSSL message, without its source locations; the error code when the message contains no
 * reason.
 */
function describeOpenSslError({ code, message }: RequestFailure): string {
  const reason = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/i.exec(message)?.[1] ?? '';
  const printable = reason.replace(/[^ -~]/g, '').trim();
  return printable === '' ? code : `${printable.slice(0, 150)} (${code})`;
}
