import { CliError } from '../cli-error.ts';

/**
 * Reads the URL of an endpoint.
 *
 * @param isPublic the address is to be on the internet, where names of one machine or network mean nothing
 * @throws CliError for what cannot be asked; it never shows a password
 */
export function readUrl(text: string, { isPublic }: { readonly isPublic: boolean }): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.port === '0') {
    throw new CliError(
      `${withoutCredentials(text)} is not an http or https URL, such as https://api.example.com/v1/weather.`,
    );
  }
  if (url.username !== '' || url.password !== '')
    throw new CliError('The URL holds a user name or a password, which are not sent: leave them out.');
  if (isPublic && isLocal(url.hostname)) {
    throw new CliError(
      `${url.hostname} is a name of your own machine or network: give --allow-private to ask it.`,
    );
  }
  return url;
}

function isLocal(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  // Names of one label; a colon is in IPv6 addresses only.
  if (!name.includes('.') && !name.includes(':')) return true;
  return /\.(localhost|local)$/.test(name);
}

function withoutCredentials(text: string): string {
  return text.replace(/^.*@/s, '…');
}
