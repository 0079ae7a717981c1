import { custom, keccak256, type CustomTransport } from 'viem';
import { z } from 'zod';
import type { SandboxChain } from './open-chain.ts';

const rawSchema = z.tuple([z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]+$/i)])]);

interface Request {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/**
 * Creates a viem transport for a chain of the sandbox. Each sent transaction is mined at once in a separate block, so its
 * receipt is available immediately. All other JSON-RPC requests are passed to the node.
 * @param now returns the time of the next block, in milliseconds since 1970
 */
export function createChainTransport(
  chain: Pick<SandboxChain, 'rpc' | 'mine' | 'isRunning'>,
  now: () => number,
): CustomTransport {
  const request = async ({ method, params }: Request): Promise<unknown> => {
    if (method !== 'eth_sendRawTransaction') return chain.rpc.call(method, params);
    // Without this check, the transaction would wait for the restart of the chain, after its sender has given up.
    if (!chain.isRunning()) throw new Error('the chain is restarted');
    const [raw] = rawSchema.parse(params);
    const block = { at: Math.floor(now() / 1_000), unsigned: [], signed: [raw] };
    const { rejection } = await chain.mine(block);
    if (rejection !== null) throw rejection;
    return keccak256(raw);
  };
  // No retries, because the node would reject the same request again.
  return custom({ request }, { retryCount: 0 });
}
