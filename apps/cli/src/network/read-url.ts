import { CliError } from '../cli-error.ts';

/**
 * Parses the URL of an endpoint.
 *
 * @param isPublic true to reject names of the user's own machine or network, such as localhost
 * @throws CliError for a URL that cannot be requested; the message never contains a password
 */
export function readUrl(text: string, { isPublic }: { readonly isPublic: boolean }): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.port === '0') {
    throw new CliError(
      `${removeCredentials(text)} is not an http or https URL, such as https://api.example.com/v1/weather.`,
    );
  }
  if (url.username !== '' || url.password !== '')
    throw new CliError('The URL contains a user name or a password, which are not sent. Remove them.');
  if (isPublic && isLocalName(url.hostname)) {
    throw new CliError(
      `${url.hostname} is a name of your own machine or network. Use --allow-private to connect to it.`,
    );
  }
  return url;
}

function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  // A name without a dot is local, such as `intranet`. An IPv6 address has no dot either, but it has colons.
  if (!name.includes('.') && !name.includes(':')) return true;
  return /\.(localhost|local)$/.test(name);
}

function removeCredentials(text: string): string {
  return text.replace(/^.*@/s, '…');
}

/** Returns true for a loopback host. Requests to it never leave this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
