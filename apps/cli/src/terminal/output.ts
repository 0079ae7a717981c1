import type { Writable } from 'node:stream';

/** An output stream that the reader can close early. */
export interface Output {
  /** True after the reader closed the stream, as `head` does after ten lines, or after a failed write. */
  readonly isClosed: boolean;
  /** Error message of a failed write; null when no write failed. A stream that the reader closed is no failure. */
  readonly failure: string | null;
  /** Writes text. The promise resolves when the text was written or dropped, and never rejects. */
  write(text: string): Promise<void>;
}

/** Creates an output for a stream. A caller should await each write, so that a slow reader does not fill the memory. */
export function createOutput(stream: Writable): Output {
  const state = { isClosed: false, failure: null as string | null };
  const onError = (error: Error | null | undefined): void => {
    if (!error) return;
    state.isClosed = true;
    if (!('code' in error && error.code === 'EPIPE')) state.failure = error.message;
  };
  stream.on('error', onError);
  return {
    get isClosed() {
      return state.isClosed;
    },
    get failure() {
      return state.failure;
    },
    write: (text) =>
      new Promise((resolve) => {
        if (state.isClosed) resolve();
        else
          stream.write(text, (error) => {
            onError(error);
            resolve();
          });
      }),
  };
}
