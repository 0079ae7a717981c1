import type { Writable } from 'node:stream';

/** A stream that is written to until its reader closes it. */
export interface Output {
  /** True once the reader closed the stream, as `head` does after ten lines, or a write failed. */
  readonly isClosed: boolean;
  /** Message of a failed write; null without one. A stream that its reader closed is no failure. */
  readonly failure: string | null;
  /** Writes text. Settles when the text was written or dropped, and never rejects. */
  write(text: string): Promise<void>;
}

/** Creates an output for a stream. A caller that awaits each write buffers no more than the reader accepts. */
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
