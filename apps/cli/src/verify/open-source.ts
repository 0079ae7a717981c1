import { createReadStream } from 'node:fs';
import { CliError } from '../cli-error.ts';
import { openNetwork } from '../lint/network.ts';
import { readUrl } from '../lint/read-url.ts';
import type { Host } from '../run.ts';

/** The most that is read of a file, in bytes: some thousand reports. */
const LIMIT = 32 * 1024 * 1024;

export interface SourceOptions {
  readonly stdin: Host['stdin'];
  readonly allowPrivate: boolean;
  readonly caFile: string | undefined;
}

export interface Source {
  readonly text: string;
  /** Where it came from over the network; null for a file, which anybody may have written. */
  readonly url: URL | null;
}

/**
 * Reads what an argument names: an address, a file, or `-` for standard input.
 *
 * @throws CliError when it cannot be read
 */
export async function openSource(name: string, options: SourceOptions): Promise<Source> {
  if (!/^https?:/i.test(name)) return { text: await readFile(name, options), url: null };
  const url = readUrl(name, { isPublic: !options.allowPrivate });
  return { text: await fetchText(url, options), url };
}

async function readFile(name: string, { stdin }: SourceOptions): Promise<string> {
  const label = name === '-' ? 'standard input' : name;
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    const stream: AsyncIterable<Uint8Array> = name === '-' ? stdin : createReadStream(name);
    for await (const piece of stream) {
      size += piece.length;
      if (size > LIMIT) throw new CliError(`${label} is longer than 32 MiB, which is more than is read.`);
      pieces.push(piece);
    }
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new CliError(`${label} cannot be read: ${cause.message}`, { cause });
  }
  // A decoder drops a byte order mark, which some editors put first.
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/** Redirects are not followed: the address that answers is the one that was given. */
async function fetchText(url: URL, { allowPrivate, caFile }: SourceOptions): Promise<string> {
  const { prober } = await openNetwork(url, {
    allowPrivate,
    caFile,
    sandboxDir: undefined,
    command: 'verify',
  });
  const { httpStatus, body, bodyTruncated, failure, outcome } = await prober({
    url: url.href,
    methods: ['GET'],
  });
  if (httpStatus === null || body === null)
    throw new CliError(`${url.href} cannot be read: ${failure?.message ?? outcome}`);
  if (httpStatus !== 200) {
    const paid = httpStatus === 402 ? ' A paid report is bought first, and then verified from a file.' : '';
    throw new CliError(`${url.href} was answered ${String(httpStatus)}, not 200.${paid}`);
  }
  if (bodyTruncated) throw new CliError(`${url.href} is longer than 1 MiB: save it, and give the file.`);
  return body;
}
