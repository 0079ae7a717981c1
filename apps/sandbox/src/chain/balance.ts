import { createPublicClient } from 'viem';
import type { Address } from 'viem';
import { base } from 'viem/chains';
import { createChainTransport } from './chain-transport.ts';
import { sandboxUsdcAbi as abi } from './contracts.generated.ts';
import { USDC } from './network.ts';
import type { SandboxChain } from './open-chain.ts';

/** Creates a function that reads the USDC balance of an address on the sandbox's chain, in atomic units. */
export const createBalanceReader = (chain: SandboxChain): ((address: Address) => Promise<bigint>) => {
  const client = createPublicClient({ chain: base, transport: createChainTransport(chain, Date.now) });
  return (address) => client.readContract({ address: USDC, abi, functionName: 'balanceOf', args: [address] });
};
