import { createPublicClient, type Address } from 'viem';
import { createChainTransport } from './chain-transport.ts';
import { sandboxUsdcAbi as abi } from './contracts.generated.ts';
import type { SandboxChain } from './open-chain.ts';

/** Creates a function that reads the USDC balance of an address on a chain, in atomic units. */
export function createBalanceReader(chain: SandboxChain): (address: Address) => Promise<bigint> {
  const { viemChain, usdc } = chain.network;
  const client = createPublicClient({ chain: viemChain, transport: createChainTransport(chain, Date.now) });
  return (address) => client.readContract({ address: usdc, abi, functionName: 'balanceOf', args: [address] });
}
