import { z } from 'zod';

/** A method and its parameters (JSON-RPC 2.0). */
export type RpcCall = readonly [method: string, params: readonly unknown[]];

const replySchema = z.array(
  z.union([
    z.object({ id: z.number(), error: z.object({ message: z.string() }) }),
    z.object({ id: z.number(), result: z.unknown() }),
  ]),
);

export interface Rpc {
  /** Calls one method. Throws RpcError when the node refuses. */
  readonly call: (method: string, params?: readonly unknown[]) => Promise<unknown>;
  /** Calls several in one request, in order; throws the first refusal after all were tried. */
  readonly batch: (calls: readonly RpcCall[]) => Promise<unknown[]>;
}

/** The node refused a call. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
}

/** A client of a node's JSON-RPC server. */
export const createRpc = (url: string): Rpc => {
  const batch: Rpc['batch'] = async (calls) => {
    if (calls.length === 0) return [];
    const body = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const replies = replySchema.parse(await response.json()).toSorted((a, b) => a.id - b.id);
    return replies.map((reply, index) => {
      if ('error' in reply) throw new RpcError(`${calls[index]?.[0] ?? ''}: ${reply.error.message}`);
      return reply.result;
    });
  };
  return { batch, call: async (method, params = []) => (await batch([[method, params]]))[0] };
};
