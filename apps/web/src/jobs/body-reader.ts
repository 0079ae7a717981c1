import { readBoundedBytes } from '@touchstone/common';

/** Length limits for the bodies that are read. */
export interface BodyLimits {
  /** Maximum length of one body, in bytes. */
  readonly maxBytes: number;
  /** Maximum total length of the bodies that are read at the same time, in bytes. */
  readonly maxTotalBytes: number;
}

/**
 * Reads a whole body.
 *
 * @throws BodyTooLargeError if the body is too long
 * @throws OverloadError if the body was stopped because all bodies together exceeded their limit
 */
export type ReadBody = (body: ReadableStream<Uint8Array> | null) => Promise<Uint8Array>;

/** Error of a stopped body: all bodies together exceeded their limit. */
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
 * Creates a function that reads bodies and limits their total length. When the total length exceeds the limit, the body
 * whose reading began first is stopped. A body that is sent without interruption ends within seconds, so usually a
 * stalled body is stopped. New bodies can then be read.
 */
export function createBodyReader({ maxBytes, maxTotalBytes }: BodyLimits): ReadBody {
  /** Bodies in the order in which their reading began. */
  const uploads = new Set<Upload>();
  let totalBytes = 0;

  const end = (upload: Upload): void => {
    if (uploads.delete(upload)) totalBytes -= upload.bytes;
    // `cancel` rejects if the stream has failed. The error is ignored here, because `read` rejects with the same error.
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
        // `read` returns `done` for a cancelled stream too, so `isStopped` is checked first.
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
