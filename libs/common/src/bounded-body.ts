/** Thrown when a body is longer than its limit. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`The body is longer than ${maxBytes} bytes.`);
    this.maxBytes = maxBytes;
  }
}

/** Body of a Fetch API request or response, or a Node stream. */
export type ByteStream = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** Returns two functions: `next` reads the next chunk of a body, and `stop` ends the reading. */
function openBody(body: ByteStream) {
  if (body instanceof ReadableStream) {
    // Not `for await`: some browsers cannot iterate over a stream.
    const reader = body.getReader();
    return { next: () => reader.read(), stop: () => reader.cancel() };
  }
  const chunks = body[Symbol.asyncIterator]();
  return { next: () => chunks.next(), stop: async () => chunks.return?.() };
}

/**
 * Reads a whole body. Stops and cancels the stream as soon as the body is longer than the limit.
 *
 * @param body stream of the decoded body; null for a message without a body
 * @param maxBytes maximum length, in bytes
 * @returns the bytes of the body
 * @throws BodyTooLargeError when the body is longer than `maxBytes`
 */
export async function readBoundedBytes(body: ByteStream | null, maxBytes: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const { next, stop } = openBody(body);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await next(); chunk.done !== true; chunk = await next()) {
    length += chunk.value.byteLength;
    if (length > maxBytes) {
      // `stop` is not awaited. Canceling a cloned response takes until the original response was read, too.
      stop().catch(() => undefined);
      throw new BodyTooLargeError(maxBytes);
    }
    chunks.push(chunk.value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/**
 * Reads a whole body as UTF-8 text of at most `maxBytes` bytes. Malformed sequences become U+FFFD, and a byte order
 * mark is dropped.
 *
 * @throws BodyTooLargeError when the body is longer than `maxBytes`
 */
export async function readBoundedText(body: ByteStream | null, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBoundedBytes(body, maxBytes));
}
