import { once } from 'node:events';
import { z } from 'zod';

/** Connection to the inspector of a Node process (Chrome DevTools Protocol). */
export interface Inspector {
  /** Collects the garbage of the process. Returns the used size of its heap and of its buffers, in MiB. */
  measureMemory(): Promise<{ readonly heapMib: number; readonly buffersMib: number }>;
  close(): void;
}

const memorySchema = z.object({
  result: z.object({
    result: z.object({ value: z.object({ heapUsed: z.number(), arrayBuffers: z.number() }) }),
  }),
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
    return JSON.parse(data);
  };
  return {
    measureMemory: async () => {
      await call('HeapProfiler.collectGarbage');
      const response = await call('Runtime.evaluate', {
        expression: 'process.memoryUsage()',
        returnByValue: true,
      });
      const { heapUsed, arrayBuffers } = memorySchema.parse(response).result.result.value;
      return { heapMib: heapUsed / 2 ** 20, buffersMib: arrayBuffers / 2 ** 20 };
    },
    close: () => socket.close(),
  };
}
