/**
 * End of a response body: `complete`, `broken` by a failure of the connection, or `unread` if the program does not read
 * the body to its end.
 */
export type BodyEnd = 'complete' | 'broken' | 'unread';

/** Response for the program, and the function that ends the wait for its body. */
interface Watched {
  readonly response: Response;
  /** Counts a body that the program has not read to its end as unread. */
  readonly finish: () => void;
}

/**
 * Returns a copy of a response that reports the end of its body. The body is passed on piece by piece, and not read ahead.
 *
 * @param onEnd function that is called once
 */
export function watchBody(response: Response, onEnd: (end: BodyEnd, bytes: number) => void): Watched {
  const { status, statusText, headers } = response;
  const body: ReadableStream<Uint8Array<ArrayBuffer>> | null = response.body;
  let [bytes, isEnded] = [0, false];
  const end = (reason: BodyEnd): void => {
    if (isEnded) return;
    isEnded = true;
    onEnd(reason, bytes);
  };
  const reader = body?.getReader();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        try {
          const piece = await reader?.read();
          if (piece?.done === false) {
            bytes += piece.value.byteLength;
            controller.enqueue(piece.value);
            return;
          }
          end('complete');
          controller.close();
        } catch (error) {
          end('broken');
          controller.error(error);
        }
      },
      cancel: async (reason) => {
        end('unread');
        await reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const watched = copyFacts(new Response(stream, { status, statusText, headers }), response);
  return { response: watched, finish: () => end('unread') };
}

/** Gives a constructed response, and its clones, the URL of the original one, which clients read after redirects. */
function copyFacts(copy: Response, { url, redirected, type }: Response): Response {
  const clone = copy.clone.bind(copy);
  const values = { url, redirected, type, clone: () => copyFacts(clone(), copy) };
  for (const [name, value] of Object.entries(values)) Object.defineProperty(copy, name, { value });
  return copy;
}
