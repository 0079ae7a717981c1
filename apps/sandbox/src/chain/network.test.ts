import { getDefaultAsset } from '@x402/evm';
import { createPublicClient, domainSeparator, http } from 'viem';
import { expect, test } from 'vitest';
import { loadScenario } from '../scenario/scenario-schema.ts';
import { openTestChain } from '../testing/test-chain.ts';
import { sandboxUsdcAbi as abi } from './contracts.generated.ts';
import { BASE, BASE_SEPOLIA, CHAIN_NETWORKS, listChainNetworks } from './network.ts';

test.each(listChainNetworks(BASE_SEPOLIA.id))(
  'the chain of $id has its chain id, and the default token of the reference client with its EIP-712 domain',
  async (network) => {
    const { chain, close } = await openTestChain({ network });
    try {
      expect(network.id).toBe(`eip155:${network.viemChain.id}`);
      const client = createPublicClient({ transport: http(chain.url) });
      expect(await client.getChainId()).toBe(network.viemChain.id);
      const { asset, name, version } = getDefaultAsset(network.id);
      expect(network.usdc).toBe(asset);
      const domain = { name, version, chainId: network.viemChain.id, verifyingContract: network.usdc };
      const token = { address: network.usdc, abi } as const;
      expect(await client.readContract({ ...token, functionName: 'name' })).toBe(name);
      expect(await client.readContract({ ...token, functionName: 'version' })).toBe(version);
      expect(await client.readContract({ ...token, functionName: 'DOMAIN_SEPARATOR' })).toBe(
        domainSeparator({ domain }),
      );
    } finally {
      await close();
    }
  },
);

test('Base Sepolia has a chain only if the service sells there', () => {
  expect(listChainNetworks(BASE.id)).toEqual(CHAIN_NETWORKS);
  expect(listChainNetworks(BASE_SEPOLIA.id)).toEqual([...CHAIN_NETWORKS, BASE_SEPOLIA]);
});

test('every known EVM network of the scenario has a chain', () => {
  // This network exists only in the test story `unlisted-token`.
  const UNKNOWN_NETWORK = 'eip155:918273';
  const networks = Object.values(loadScenario().tokens).map(({ network }) => network);
  const expected = new Set(networks.filter((id) => id.startsWith('eip155:') && id !== UNKNOWN_NETWORK));
  expect(new Set<string>(CHAIN_NETWORKS.map(({ id }) => id))).toEqual(expected);
});
