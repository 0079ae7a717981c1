import type { Probe, Sender } from '@touchstone/probe';

const MAX_FILE_BYTES = 16_384;
const MAX_LINES = 500;

/** Text file of a host below `/.well-known/`. */
export interface HostFile {
  /** Lines without the spaces around them; empty if the host responds without a text file, null if it was not read. */
  readonly lines: readonly string[] | null;
  /**
   * True if a line that was not found is certainly absent: a text file was read, or the host says that it has none. A page
   * or redirect in place of the file can come from maintenance work.
   */
  readonly isCertain: boolean;
  /** Description of the response, as a sentence. */
  readonly remark: string;
  /** True if this service could not send the request. */
  readonly isOwnFailure: boolean;
}

/**
 * Reads a text file of a host over https, through the address guard. Redirects are not followed: they prove something
 * about their target only.
 *
 * @param timeoutMs maximum duration, in milliseconds
 */
export async function readHostFile(send: Sender, url: string, timeoutMs: number): Promise<HostFile> {
  const request = { url, method: 'GET', headers: {}, body: '' } as const;
  const probe = await send({ ...request, timeoutMs, maxReplyBytes: MAX_FILE_BYTES });
  const read = toLines(probe);
  return {
    ...{ lines: read.lines, isCertain: read.isCertain ?? false },
    remark: `${url} ${read.remark}.`,
    isOwnFailure: probe.outcome === 'self-failure',
  };
}

/** Statuses that say that a file does not exist. */
const MISSING: ReadonlySet<number> = new Set([404, 410]);

function toLines(probe: Probe): Pick<HostFile, 'lines' | 'remark'> & { readonly isCertain?: true } {
  const { httpStatus: status, body, bodyEnd, failure, outcome, headers } = probe;
  if (status === null) return { lines: null, remark: `could not be read: ${failure?.message ?? outcome}` };
  if (MISSING.has(status)) return { lines: [], remark: `returned ${status}`, isCertain: true };
  // A host that sells each path.
  if (status === 402) return { lines: [], remark: 'returned 402' };
  if (status >= 300 && status < 400)
    return { lines: [], remark: `returned ${status}; redirects are not followed` };
  if (status !== 200) return { lines: null, remark: `returned ${status} instead of 200` };
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'text/plain';
  // Some hosts return the same page for every path. Storage services have other types for a text file.
  if (/html/i.test(type))
    return { lines: [], remark: `has the content type ${type.slice(0, 60)} instead of text/plain` };
  if (bodyEnd === 'size-limit') return { lines: [], remark: 'has more than 16 KiB' };
  if (bodyEnd !== 'complete') return { lines: null, remark: 'was not read to its end' };
  const lines = parseHostFile(body ?? '');
  return { lines, remark: lines.length === 0 ? 'has no line' : 'has other lines only', isCertain: true };
}

/** Splits the text of a file into its lines without the spaces around them. */
export function parseHostFile(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/, MAX_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Line that refuses all messages, with an optional comment. */
const REFUSAL_LINE = /^deliveries[ \t]*:[ \t]*refuse[ \t]*(#.*)?$/i;

/** Returns true if the file `/.well-known/touchstone.txt` of a host refuses the messages of watches. */
export function isRefusal(lines: readonly string[]): boolean {
  return lines.some((line) => REFUSAL_LINE.test(line));
}
