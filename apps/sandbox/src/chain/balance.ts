import { createPublicClient } from 'viem';
import type { Address } from 'viem';
import { base } from 'viem/chains';
import { chainTransport } from './chain-transport.ts';
import { sandboxUsdcAbi as abi } from './contracts.generated.ts';
import { USDC } from './network.ts';
import type { SandboxChain } from './open-chain.ts';

/** Reads how many of the sandbox's dollars an address has, in atomic units. */
export const balanceReader = (chain: SandboxChain): ((address: Address) => Promise<bigint>) => {
  const client = createPublicClient({ chain: base, transport: chainTransport(chain, Date.now) });
  return (address) => client.readContract({ address: USDC, abi, functionName: 'balanceOf', args: [address] });
};
