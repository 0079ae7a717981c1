import type { ChallengeResponse } from '../types.ts';

/**
 * Size of the response headers from which Node.js clients reject a response, in bytes. It is the default of Node's
 * `http.maxHeaderSize`, which `fetch` uses too.
 */
export const NODE_HEADER_LIMIT_BYTES = 16_384;

/**
 * Returns the size of the response headers as Node's `fetch` measures it: the bytes of all names and values. `fetch` does
 * not count the status line, the colons, the white space around the values and the line ends. `http.get` also counts
 * the reason phrase of the status line, so it rejects every response that `fetch` rejects.
 *
 * @param headers fields as received; each character of an HTTP/1.1 header is one byte
 */
export function measureHeaders(headers: ChallengeResponse['headers']): number {
  return headers.reduce((bytes, [name, value]) => bytes + name.length + value.length, 0);
}

/** Returns true when Node.js clients with default settings reject a response because of the size of its headers. */
export function exceedsNodeLimit(headerBytes: number): boolean {
  return headerBytes >= NODE_HEADER_LIMIT_BYTES;
}

/** Formats the reason why clients reject a response with large headers. One kB is 1,000 bytes. */
export function explainHeaderSize(headerBytes: number): string {
  const size = (headerBytes / 1_000).toFixed(1);
  return `The response headers have ${size} kB in total; Node.js clients reject more than 16 kB.`;
}
