import type { Address } from 'viem';
import { multicallCode, sandboxUsdcCode } from './contracts.generated.ts';
import { ETHER } from './mine-block.ts';
import { MULTICALL, OWNER, USDC } from './network.ts';
import type { Rpc, RpcCall } from './rpc.ts';

const word = (value: string): string => `0x${value.slice(2).padStart(64, '0')}`;

/**
 * What there is before the first block: the contracts where they are on Base, and ether for who pays for gas. The
 * token's owner is its storage slot 0.
 */
export const layGenesis = async (rpc: Rpc, payers: readonly Address[]): Promise<void> => {
  await rpc.batch([
    ['anvil_setCode', [USDC, sandboxUsdcCode]],
    ['anvil_setStorageAt', [USDC, word('0x'), word(OWNER)]],
    ['anvil_setCode', [MULTICALL, multicallCode]],
    ...payers.map((payer): RpcCall => ['anvil_setBalance', [payer, ETHER]]),
  ]);
};
