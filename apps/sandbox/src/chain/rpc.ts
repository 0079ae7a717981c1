import { z } from 'zod';

/** Method and parameters of a call (JSON-RPC 2.0). */
export type RpcCall = readonly [method: string, params: readonly unknown[]];

const responseSchema = z.array(
  z.union([
    z.object({ id: z.number(), error: z.object({ message: z.string() }) }),
    z.object({ id: z.number(), result: z.unknown() }),
  ]),
);

export interface Rpc {
  /** Calls one method. Throws RpcError when the node returns an error. */
  readonly call: (method: string, params?: readonly unknown[]) => Promise<unknown>;
  /**
   * Calls several methods in the given order with one batch request. All calls are made, even when one of them fails.
   * Throws the error of the first failed call.
   */
  readonly batch: (calls: readonly RpcCall[]) => Promise<unknown[]>;
}

/** Error that the node returned for a call. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
}

/** Maximum time of a request, in milliseconds. A node that exceeds this time is regarded as stuck. */
const TIMEOUT_MS = 60_000;

/** Creates a JSON-RPC client. */
export function createRpc(url: string): Rpc {
  const batch: Rpc['batch'] = async (calls) => {
    if (calls.length === 0) return [];
    const body = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
    const results = responseSchema.parse(await response.json()).toSorted((a, b) => a.id - b.id);
    return results.map((result, index) => {
      if ('error' in result) throw new RpcError(`${calls[index]?.[0] ?? ''}: ${result.error.message}`);
      return result.result;
    });
  };
  return { batch, call: async (method, params = []) => (await batch([[method, params]]))[0] };
}
