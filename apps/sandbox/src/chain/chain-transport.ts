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
 * viem's way to the chain. A transaction gets a block of its own at once, so that its receipt is there when it is asked
 * for; everything else goes to the node.
 * @param now time of such a block, in milliseconds since 1970
 */
export const chainTransport = (
  chain: Pick<SandboxChain, 'rpc' | 'mine'>,
  now: () => number,
): CustomTransport => {
  const request = async ({ method, params }: Request): Promise<unknown> => {
    if (method !== 'eth_sendRawTransaction') return chain.rpc.call(method, params);
    const [raw] = rawSchema.parse(params);
    const block = { at: Math.floor(now() / 1_000), unsigned: [], signed: [raw] };
    const { refusal } = await chain.mine(block);
    if (refusal !== null) throw refusal;
    return keccak256(raw);
  };
  // A call that the node refuses is refused for good: asking again helps nobody.
  return custom({ request }, { retryCount: 0 });
};
