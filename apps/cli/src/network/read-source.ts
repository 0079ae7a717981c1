import { createReadStream } from 'node:fs';
import { BodyTooLargeError, readBoundedText } from '@touchstone/common';
import { CliError, type Host } from '../command-tools.ts';
import { openNetwork } from './open-network.ts';

/** Maximum length of a file, in bytes (32 MiB). A file of several thousand reports fits. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

export interface SourceOptions {
  readonly stdin: Host['stdin'];
  readonly allowPrivate: boolean;
  readonly caFile: string | undefined;
  /** Name of the command in the User-Agent header. */
  readonly command: string;
  /** Advice in the error for a URL that requires a payment; no advice by default. */
  readonly paymentAdvice?: string;
}

export interface Source {
  readonly text: string;
  /** URL from which the text was fetched; null for a file, whose author is unknown. */
  readonly url: URL | null;
}

/** Reads text from a URL, from a file, or from standard input (`-`). @throws CliError when the text cannot be read */
export async function readSource(name: string, options: SourceOptions): Promise<Source> {
  if (!/^https?:/i.test(name)) return { text: await readFileOrStdin(name, options), url: null };
  const url = readUrl(name, { isPublic: !options.allowPrivate });
  return { text: await fetchText(url, options), url };
}

/** Reads text from a file, or from standard input (`-`). @throws CliError when the text cannot be read */
export async function readFileOrStdin(
  name: string,
  { stdin }: Pick<SourceOptions, 'stdin'>,
): Promise<string> {
  try {
    return await readBoundedText(openText(name, stdin), MAX_FILE_BYTES);
  } catch (cause) {
    if (!(cause instanceof BodyTooLargeError)) throw cause;
    throw new CliError(`${formatFileName(name)} is longer than the maximum of 32 MiB.`, { cause });
  }
}

/** Formats the name of a file, or of standard input (`-`), for a message. */
export function formatFileName(name: string): string {
  return name === '-' ? 'standard input' : name;
}

/**
 * Reads the bytes of a UTF-8 text in a file, or of standard input (`-`).
 *
 * @throws CliError when the text cannot be read or is UTF-16
 */
export async function* openText(name: string, stdin: Host['stdin']): AsyncGenerator<Uint8Array> {
  const label = formatFileName(name);
  const stream: AsyncIterable<Uint8Array> = name === '-' ? stdin : createReadStream(name);
  let isStart = true;
  try {
    for await (const chunk of stream) {
      if (isStart && isUtf16(chunk)) throw new CliError(`${label} is UTF-16 text. Save it as UTF-8.`);
      isStart = false;
      yield chunk;
    }
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    if ('code' in cause && cause.code === 'ENOENT')
      throw new CliError(`${label} does not exist. Give the path of a file, or - for standard input.`, {
        cause,
      });
    throw new CliError(`${label} cannot be read: ${cause.message}`, { cause });
  }
}

/** Returns true for the start of a text with the byte order mark of UTF-16, or with a character of UTF-16 in ASCII. */
function isUtf16([first, second]: Uint8Array): boolean {
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return hasMark || first === 0 || second === 0;
}

/** Fetches a URL. A redirect is an error, so that the text comes from the given URL. */
async function fetchText(
  url: URL,
  { allowPrivate, caFile, command, paymentAdvice }: SourceOptions,
): Promise<string> {
  const { prober } = await openNetwork(url, { allowPrivate, caFile, sandboxDir: undefined, command });
  const probe = await prober({ url: url.href, methods: ['GET'] });
  const { httpStatus, body, bodyEnd, redirects, failure, outcome } = probe;
  const target = redirects.at(-1)?.url;
  if (target !== undefined)
    throw new CliError(`${url.href} redirects to ${target}. If you trust this URL, give it instead.`);
  if (httpStatus === null || body === null)
    throw new CliError(`${url.href} cannot be read: ${failure?.message ?? outcome}`);
  if (httpStatus !== 200) {
    const advice = httpStatus === 402 && paymentAdvice !== undefined ? ` ${paymentAdvice}` : '';
    throw new CliError(`${url.href} returned ${String(httpStatus)}; expected 200.${advice}`);
  }
  if (failure !== null) throw new CliError(`${url.href} cannot be read: ${failure.message}`);
  if (bodyEnd !== 'complete')
    throw new CliError(
      `${url.href} is longer than 1 MiB, the maximum for a URL. Save it, and give the file.`,
    );
  return body;
}

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
  // A name without a dot is local, such as `intranet`. An IPv6 address has colons instead of dots.
  if (!name.includes('.') && !name.includes(':')) return true;
  return /\.(localhost|local)$/.test(name);
}

function removeCredentials(text: string): string {
  return text.replace(/^.*@/s, '…');
}
