import { readBoundedBytes } from '@touchstone/common';

/** Limits of the bodies that are read. */
export interface BodyLimits {
  /** Maximum length of one body, in bytes. */
  readonly maxBytes: number;
  /** Maximum length of all bodies that are being read at the same time, in bytes. */
  readonly maxTotalBytes: number;
}

/**
 * Reads a whole body.
 *
 * @throws BodyTooLargeError if the body is too long, and OverloadError if its reading was stopped for another body.
 */
export type ReadBody = (body: ReadableStream<Uint8Array> | null) => Promise<Uint8Array>;

/** Thrown when the bodies that are being read exceed their limit. */
export class OverloadError extends Error {
  override readonly name = 'OverloadError';
}

/** Body that is being read. */
interface Upload {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  /** Number of bytes in memory. */
  bytes: number;
  isStopped: boolean;
}

/**
 * Creates a function that reads bodies with a limit for all bodies together. When all bodies together exceed the limit,
 * the body whose reading began first is stopped. A body that is sent without interruption ends within seconds. Stalled
 * bodies are therefore stopped, so that no stalled body prevents the reading of a new body.
 */
export function createBodyReader({ maxBytes, maxTotalBytes }: BodyLimits): ReadBody {
  /** Bodies in the order in which their reading began. */
  const uploads = new Set<Upload>();
  let totalBytes = 0;

  const end = (upload: Upload): void => {
    if (uploads.delete(upload)) totalBytes -= upload.bytes;
    // A stream that has failed rejects this call. The reader of the body already has that error.
    upload.reader.cancel().catch(() => undefined);
  };
  const add = (upload: Upload, bytes: number): void => {
    upload.bytes += bytes;
    totalBytes += bytes;
    for (const oldest of uploads) {
      if (totalBytes <= maxTotalBytes) break;
      oldest.isStopped = true;
      end(oldest);
    }
  };
  async function* readChunks(upload: Upload): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const { done, value } = await upload.reader.read();
        if (!done && !upload.isStopped) add(upload, value.byteLength);
        // `read` returns `done` for a cancelled stream too.
        if (upload.isStopped) throw new OverloadError('The bodies that are being read exceed their limit.');
        if (done) return;
        yield value;
      }
    } finally {
      end(upload);
    }
  }
  return async (body) => {
    if (body === null) return new Uint8Array();
    const upload: Upload = { reader: body.getReader(), bytes: 0, isStopped: false };
    uploads.add(upload);
    return readBoundedBytes(readChunks(upload), maxBytes);
  };
}
