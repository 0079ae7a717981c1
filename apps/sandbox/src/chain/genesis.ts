import { multicallCode, sandboxUsdcCode } from './contracts.generated.ts';
import { MULTICALL, OWNER, USDC } from './network.ts';
import type { Rpc } from './rpc.ts';

const word = (value: string): string => `0x${value.slice(2).padStart(64, '0')}`;

/** Places the contracts where they are on Base. The token's owner is its storage slot 0. */
export const placeContracts = async (rpc: Rpc): Promise<void> => {
  await rpc.batch([
    ['anvil_setCode', [USDC, sandboxUsdcCode]],
    ['anvil_setStorageAt', [USDC, word('0x'), word(OWNER)]],
    ['anvil_setCode', [MULTICALL, multicallCode]],
  ]);
};
