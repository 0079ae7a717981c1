import type { Address } from 'viem';
import { findAnvilBinary } from '../chain/anvil.ts';
import { createBalanceReader } from '../chain/chain-access.ts';
import { BASE, type ChainNetwork } from '../chain/network.ts';
import { openChain, type GenesisAccounts, type SandboxChain } from '../chain/open-chain.ts';

import { createTemporaryFolder } from './test-sandbox.ts';

/** Time of the genesis block in tests, in seconds since 1970; equals `TEST_EPOCH`. */
export const TEST_GENESIS = Date.parse('2026-01-01T00:00:00.000Z') / 1_000;

export function getAnvilBinary(): string {
  const binary = findAnvilBinary();
  if (binary === null) throw new Error('npm has no anvil for this platform');
  return binary;
}

export interface TestChain {
  readonly chain: SandboxChain;
  readonly balanceOf: (address: Address) => Promise<bigint>;
  readonly close: () => Promise<void>;
}

interface TestChainOptions extends GenesisAccounts {
  readonly network: ChainNetwork;
}

/** Opens a chain in a temporary folder, by default the chain of Base. */
export async function openTestChain({
  network = BASE,
  gasPayers = [],
  smartWallets = [],
}: Partial<TestChainOptions> = {}): Promise<TestChain> {
  const folder = await createTemporaryFolder();
  const chain = await openChain({
    network,
    binary: getAnvilBinary(),
    dataDir: folder.path,
    genesis: TEST_GENESIS,
    gasPayers,
    smartWallets,
  });
  const close = async () => {
    chain.stop();
    await chain.ended;
    await folder.remove();
  };
  return { chain, balanceOf: createBalanceReader(chain), close };
}
