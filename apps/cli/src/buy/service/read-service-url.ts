import { CliError } from '../../cli-error.ts';
import { readUrl } from '../../network/read-url.ts';

/** Returns true for a loopback host. Requests to it never leave this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Parses the URL of a service. Plain HTTP is allowed only for loopback hosts: an attacker on the network could replace
 * the receiving wallet in the quote, or read the secret of a watch.
 *
 * @throws CliError for a URL that must not be used
 */
export function readServiceUrl(text: string): URL {
  const url = readUrl(text, { isPublic: false });
  if (url.pathname + url.search + url.hash !== '/')
    throw new CliError(`The URL of the service must be without a path. Use ${url.origin}.`);
  if (url.protocol !== 'https:' && !isLoopbackHost(url.hostname)) {
    throw new CliError(
      `${url.origin} is not HTTPS. An attacker on the network could read the request, or replace the receiving wallet. No request was sent.`,
    );
  }
  return url;
}
