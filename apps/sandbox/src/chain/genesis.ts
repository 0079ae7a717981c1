import type { Address } from 'viem';
import { multicallCode, sandboxUsdcCode, smartWalletCode } from './contracts.generated.ts';
import { ETHER } from './mine-block.ts';
import { MULTICALL, OWNER, USDC } from './network.ts';
import type { Rpc, RpcCall } from './rpc.ts';

const word = (value: string): string => `0x${value.slice(2).padStart(64, '0')}`;

/** Who is there before the first block. */
export interface Settlers {
  /** Who has ether for gas. */
  readonly payers: readonly Address[];
  /** Whose wallet is a contract that pays whatever is asked of it; see contracts/SandboxSmartWallet.sol. */
  readonly smartWallets: readonly Address[];
}

/**
 * What there is before the first block: the contracts where they are on Base, sellers' smart wallets, and ether for who
 * pays for gas. The token's owner is its storage slot 0.
 */
export const layGenesis = async (rpc: Rpc, { payers, smartWallets }: Settlers): Promise<void> => {
  await rpc.batch([
    ['anvil_setCode', [USDC, sandboxUsdcCode]],
    ['anvil_setStorageAt', [USDC, word('0x'), word(OWNER)]],
    ['anvil_setCode', [MULTICALL, multicallCode]],
    ...smartWallets.map((wallet): RpcCall => ['anvil_setCode', [wallet, smartWalletCode]]),
    ...payers.map((payer): RpcCall => ['anvil_setBalance', [payer, ETHER]]),
  ]);
};
