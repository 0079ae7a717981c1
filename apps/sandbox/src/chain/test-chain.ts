import type { Address } from 'viem';
import { temporaryFolder } from '../test-world.ts';
import { anvilBinary } from './anvil-binary.ts';
import { balanceReader } from './balance.ts';
import type { Settlers } from './genesis.ts';
import { openChain } from './open-chain.ts';
import type { SandboxChain } from './open-chain.ts';

/** The first moment of the chains that tests open: that of their worlds, in seconds since 1970. */
export const TEST_GENESIS = Date.parse('2026-01-01T00:00:00.000Z') / 1_000;

export const testBinary = (): string => {
  const binary = anvilBinary();
  if (binary === null) throw new Error('npm brought no anvil for this machine');
  return binary;
};

export interface TestChain {
  readonly chain: SandboxChain;
  readonly balanceOf: (address: Address) => Promise<bigint>;
  readonly close: () => Promise<void>;
}

/** Opens a chain in a folder of its own. */
export const openTestChain = async ({
  payers = [],
  smartWallets = [],
}: Partial<Settlers> = {}): Promise<TestChain> => {
  const folder = await temporaryFolder();
  const chain = await openChain({
    binary: testBinary(),
    dataDir: folder.path,
    genesis: TEST_GENESIS,
    payers,
    smartWallets,
  });
  const close = async () => {
    chain.stop();
    await chain.ended;
    await folder.remove();
  };
  return { chain, balanceOf: balanceReader(chain), close };
};
