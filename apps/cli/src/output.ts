import type { Writable } from 'node:stream';

/** A stream to write to for as long as somebody reads it. */
export interface Output {
  /** True once the reader has gone, as `head` does after ten lines. */
  readonly closed: boolean;
  /** Why writing failed other than by a reader who had enough; null as long as it did not. */
  readonly failure: string | null;
  /** Settles when the text was taken or never will be; never rejects. */
  write(text: string): Promise<void>;
}

/** Makes an output of a stream; waiting for each write keeps no more in memory than the reader can take. */
export function createOutput(stream: Writable): Output {
  const state = { closed: false, failure: null as string | null };
  const onError = (error: Error | null | undefined): void => {
    if (!error) return;
    state.closed = true;
    if (!('code' in error && error.code === 'EPIPE')) state.failure = error.message;
  };
  stream.on('error', onError);
  return {
    get closed() {
      return state.closed;
    },
    get failure() {
      return state.failure;
    },
    write: (text) =>
      new Promise((resolve) => {
        if (state.closed) resolve();
        else
          stream.write(text, (error) => {
            onError(error);
            resolve();
          });
      }),
  };
}
