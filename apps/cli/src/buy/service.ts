import { CliError } from '../cli-error.ts';
import { readUrl } from '../lint/read-url.ts';

/** Host names of this machine alone, which a request never leaves. */
export function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * The address of a service to buy from. Over plain HTTP anybody on the way could put a wallet of their own into the
 * quote, so it is taken within this machine only.
 *
 * @throws CliError for what nobody should pay at
 */
export function readService(text: string): URL {
  const url = readUrl(text, { isPublic: false });
  if (url.pathname + url.search + url.hash !== '/')
    throw new CliError(`Give the address of the service alone, ${url.origin}, without a path.`);
  if (url.protocol !== 'https:' && !isThisMachine(url.hostname)) {
    throw new CliError(
      `${url.origin} is not HTTPS: on the way, anybody could change to whom the payment goes. Nothing was asked.`,
    );
  }
  return url;
}
