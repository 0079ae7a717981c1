import {
  BAD_RESPONSE_CODE,
  BAD_TARGET_CODE,
  DEADLINE_CODE,
  REFUSED_CODE,
  UNEXPECTED_CODE,
} from './failure.ts';
import type { Outcome, Phase } from '../types.ts';

/** Our machine or network is short of something; the endpoint has no part in it. */
const ownCodes: ReadonlySet<string> = new Set([
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

/** While resolving, these are about the name servers this machine asks, not about the name. */
const ownResolverCodes: ReadonlySet<string> = new Set([
  'EBADFLAGS',
  'ECANCELLED',
  'ECONNREFUSED',
  'EDESTRUCTION',
  'EFILE',
  'ENONAME',
  'ENOTINITIALIZED',
]);

const fromLibrary: ReadonlyMap<string, Outcome> = new Map([
  [DEADLINE_CODE, 'timeout'],
  [REFUSED_CODE, 'refused-address'],
  [BAD_RESPONSE_CODE, 'protocol-error'],
  [BAD_TARGET_CODE, 'protocol-error'],
  ['ETIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
]);

/**
 * What it means that a request failed in a phase with an error code.
 *
 * @param failure - The phase that was running and the code of Node, OpenSSL, llhttp or c-ares.
 */
export function classifyFailure(failure: { readonly phase: Phase; readonly code: string }): Outcome {
  const { phase, code } = failure;
  if (ownCodes.has(code)) return 'self-failure';
  const known = fromLibrary.get(code);
  if (known !== undefined) return known;
  if (phase === 'resolve') return ownResolverCodes.has(code) ? 'self-failure' : 'dns-error';
  // With TLS 1.3 a server can refuse the handshake after the client thinks it is over.
  if (phase === 'tls' || code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'tls-error';
  if (code.startsWith('HPE_')) return 'protocol-error';
  return code.startsWith('ERR_') ? 'self-failure' : 'connect-error';
}
