import type { ServerResponse } from 'node:http';

/** Maximum size of a captured body, in bytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * Copies what is written to a response.
 *
 * @returns a function that returns the body; null if it is longer than 1 MiB.
 */
export function captureBody(response: ServerResponse): () => Buffer | null {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const add = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const buffer =
      typeof chunk === 'string'
        ? Buffer.from(chunk, Buffer.isEncoding(String(encoding)) ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes <= MAX_BYTES) chunks.push(buffer);
  };
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  Object.assign(response, {
    write: (...parameters: Parameters<typeof write>) => {
      add(parameters[0], parameters[1]);
      return write(...parameters);
    },
    end: (...parameters: Parameters<typeof end>) => {
      add(parameters[0], parameters[1]);
      return end(...parameters);
    },
  });
  return () => (bytes <= MAX_BYTES ? Buffer.concat(chunks) : null);
}
