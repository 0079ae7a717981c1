import type { Outcome, Phase } from '../types.ts';
import {
  BAD_RESPONSE_CODE,
  BAD_TARGET_CODE,
  DEADLINE_CODE,
  REFUSED_CODE,
  UNEXPECTED_CODE,
} from './failure.ts';

/** Error codes for missing resources of this machine or its network. The endpoint did not cause them. */
const SELF_INFLICTED_CODES: ReadonlySet<string> = new Set([
  UNEXPECTED_CODE,
  'EACCES',
  'EADDRINUSE',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EMFILE',
  'ENETDOWN',
  'ENETUNREACH',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EPERM',
]);

/**
 * Error codes that show a problem with our name servers when they occur in the phase `resolve`. Other codes in this
 * phase show a problem with the host name.
 */
const SELF_INFLICTED_RESOLVER_CODES: ReadonlySet<string> = new Set([
  'EBADFLAGS',
  'ECANCELLED',
  'ECONNREFUSED',
  'EDESTRUCTION',
  'EFILE',
  'ENONAME',
  'ENOTINITIALIZED',
]);

const OUTCOME_BY_CODE: ReadonlyMap<string, Outcome> = new Map([
  [DEADLINE_CODE, 'timeout'],
  [REFUSED_CODE, 'refused-address'],
  [BAD_RESPONSE_CODE, 'protocol-error'],
  [BAD_TARGET_CODE, 'protocol-error'],
  ['ETIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
]);

/**
 * Returns the outcome of a failed request.
 *
 * @param failure phase of the failure, and error code of Node, OpenSSL, llhttp or c-ares
 */
export function classifyFailure(failure: { readonly phase: Phase; readonly code: string }): Outcome {
  const { phase, code } = failure;
  if (SELF_INFLICTED_CODES.has(code)) return 'self-failure';
  const known = OUTCOME_BY_CODE.get(code);
  if (known !== undefined) return known;
  if (phase === 'resolve') return SELF_INFLICTED_RESOLVER_CODES.has(code) ? 'self-failure' : 'dns-error';
  // TLS errors count in every phase: with TLS 1.3, a server can reject the handshake after the client has completed it.
  if (phase === 'tls' || code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'tls-error';
  if (code.startsWith('HPE_')) return 'protocol-error';
  return code.startsWith('ERR_') ? 'self-failure' : 'connect-error';
}
