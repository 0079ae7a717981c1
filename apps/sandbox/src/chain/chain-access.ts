import {
  custom,
  keccak256,
  createPublicClient,
  encodeFunctionData,
  type CustomTransport,
  type Address,
} from 'viem';
import { z } from 'zod';
import { hexSchema } from '../parsing.ts';
import { sandboxUsdcAbi as abi } from './contracts.generated.ts';
import type { JournalBlock } from './journal.ts';
import { OWNER, type ChainNetwork } from './network.ts';
import type { SandboxChain } from './open-chain.ts';

const rawSchema = z.tuple([hexSchema]);

interface Request {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/**
 * Creates a viem transport for a chain of the sandbox. Each sent transaction is mined immediately in its own block, so
 * its receipt is available immediately. All other JSON-RPC requests are passed to the node.
 * @param now returns the time of the next block, in milliseconds since 1970
 */
export function createChainTransport(
  chain: Pick<SandboxChain, 'rpc' | 'mine'>,
  now: () => number,
): CustomTransport {
  const request = async ({ method, params }: Request): Promise<unknown> => {
    if (method !== 'eth_sendRawTransaction') return chain.rpc.call(method, params);
    const [raw] = rawSchema.parse(params);
    const block = { at: Math.floor(now() / 1_000), unsigned: [], signed: [raw] };
    const { rejection } = await chain.mine(block);
    if (rejection !== null) throw rejection;
    return keccak256(raw);
  };
  // No retries, because the node would reject the same request again.
  return custom({ request }, { retryCount: 0 });
}

export function createBalanceReader(chain: SandboxChain): (address: Address) => Promise<bigint> {
  const { viemChain, usdc } = chain.network;
  const client = createPublicClient({ chain: viemChain, transport: createChainTransport(chain, Date.now) });
  return (address) => client.readContract({ address: usdc, abi, functionName: 'balanceOf', args: [address] });
}

type UnsignedCall = JournalBlock['unsigned'][number];

/** Creates a call that mints tokens for an address; `value` is in atomic units. */
export function createMintCall({ usdc }: ChainNetwork, to: Address, value: bigint): UnsignedCall {
  return {
    from: OWNER,
    to: usdc,
    data: encodeFunctionData({ abi, functionName: 'mint', args: [to, value] }),
  };
}

/** Creates a call that transfers tokens from a wallet whose private key is unknown; `value` is in atomic units. */
export function createTransferCall(
  { usdc }: ChainNetwork,
  { from, to, value }: { readonly from: Address; readonly to: Address; readonly value: bigint },
): UnsignedCall {
  return { from, to: usdc, data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, value] }) };
}
