import type { Outcome, Phase } from '../types.ts';
import {
  BAD_RESPONSE_CODE,
  BAD_TARGET_CODE,
  DEADLINE_CODE,
  REFUSED_CODE,
  UNEXPECTED_CODE,
} from './failure.ts';

/** Codes for missing resources of our machine or network. The endpoint did not cause them. */
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

/** Codes that, in the phase `resolve`, concern our name servers and not the host name. */
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
 * Returns the outcome of a request that failed.
 *
 * @param failure the phase in which it failed, and the error code of Node, OpenSSL, llhttp or c-ares
 */
export function classifyFailure(failure: { readonly phase: Phase; readonly code: string }): Outcome {
  const { phase, code } = failure;
  if (SELF_INFLICTED_CODES.has(code)) return 'self-failure';
  const known = OUTCOME_BY_CODE.get(code);
  if (known !== undefined) return known;
  if (phase === 'resolve') return SELF_INFLICTED_RESOLVER_CODES.has(code) ? 'self-failure' : 'dns-error';
  // With TLS 1.3 a server can reject the handshake after the client has completed it.
  if (phase === 'tls' || code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'tls-error';
  if (code.startsWith('HPE_')) return 'protocol-error';
  return code.startsWith('ERR_') ? 'self-failure' : 'connect-error';
}
