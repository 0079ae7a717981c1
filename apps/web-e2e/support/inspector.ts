import { once } from 'node:events';
import { z } from 'zod';

/** Connection to the inspector of a Node process (Chrome DevTools Protocol). */
export interface Inspector {
  /** Collects the garbage of the process. */
  collectGarbage(): Promise<void>;
  /** Returns the JSON value of a JavaScript expression in the process. */
  evaluate(expression: string): Promise<unknown>;
  close(): void;
}

const responseSchema = z.object({
  result: z.object({ result: z.object({ value: z.unknown() }).optional() }),
});

/** Connects to the inspector at a URL such as `ws://127.0.0.1:9229/…`. */
export async function connectInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const call = async (method: string, params = {}): Promise<unknown> => {
    const received = once(socket, 'message');
    socket.send(JSON.stringify({ id: 1, method, params }));
    // The value of this event is its only argument. Without enabled domains, the inspector sends only responses.
    const [{ data }] = (await received) as [{ readonly data: string }];
    return responseSchema.parse(JSON.parse(data)).result.result?.value;
  };
  return {
    collectGarbage: async () => void (await call('HeapProfiler.collectGarbage')),
    evaluate: (expression) => call('Runtime.evaluate', { expression, returnByValue: true }),
    close: () => socket.close(),
  };
}
