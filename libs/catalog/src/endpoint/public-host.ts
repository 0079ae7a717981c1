import { findNonPublicReason, parseIpAddress } from '@touchstone/common';

/**
 * Pattern of one DNS label (RFC 1035, section 2.3.1). Underscores are allowed, because some hosts contain them (RFC
 * 2181).
 */
const DNS_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function findNameFault(host: string): string | null {
  const labels = host.split('.');
  if (host.length > 253 || !labels.every((part) => DNS_LABEL.test(part)))
    return 'the host is not a domain name';
  if (labels.at(-1) === 'localhost') return 'the host is localhost';
  return labels.length === 1 ? 'the host name has no dot, so it is not public' : null;
}

/**
 * Returns the reason why a host cannot serve a public endpoint.
 *
 * @param host - The host name as the URL parser serialises it, an IPv6 address in brackets.
 * @returns The reason; null for a public host.
 */
export function findHostFault(host: string): string | null {
  const address = parseIpAddress(host.replace(/^\[|\]$/g, ''));
  if (address === null) return findNameFault(host);
  return findNonPublicReason(address) === null ? null : 'the host is not a public address';
}
