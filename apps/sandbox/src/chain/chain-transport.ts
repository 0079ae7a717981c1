import { custom, keccak256 } from 'viem';
import type { CustomTransport } from 'viem';
import { z } from 'zod';
import type { SandboxChain } from './open-chain.ts';

const rawSchema = z.tuple([z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]+$/i)])]);

interface Request {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/**
 * Creates the viem transport of the chain. Every transaction is mined at once, in its own block, so that its receipt is
 * available immediately. All other requests go to the node.
 * @param now time of new blocks, in milliseconds since 1970
 */
export const createChainTransport = (
  chain: Pick<SandboxChain, 'rpc' | 'mine'>,
  now: () => number,
): CustomTransport => {
  const request = async ({ method, params }: Request): Promise<unknown> => {
    if (method !== 'eth_sendRawTransaction') return chain.rpc.call(method, params);
    const [raw] = rawSchema.parse(params);
    const block = { at: Math.floor(now() / 1_000), unsigned: [], signed: [raw] };
    const { rejection: refusal } = await chain.mine(block);
    if (refusal !== null) throw refusal;
    return keccak256(raw);
  };
  // No retries: the node's errors are permanent.
  return custom({ request }, { retryCount: 0 });
};
