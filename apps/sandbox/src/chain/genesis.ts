import type { Address } from 'viem';
import { multicallCode, smartWalletCode } from './contracts.generated.ts';
import { PREFUNDED_WEI } from './mine-block.ts';
import { MULTICALL, OWNER, type ChainNetwork } from './network.ts';
import type { Rpc, RpcCall } from './rpc.ts';

function toWord(value: string): string {
  return `0x${value.slice(2).padStart(64, '0')}`;
}

/** Accounts that exist before the first block. */
export interface GenesisAccounts {
  /** Accounts with native currency for gas. */
  readonly gasPayers: readonly Address[];
  /** Addresses of smart wallets. They get the code of contracts/SandboxSmartWallet.sol, which accepts any signature. */
  readonly smartWallets: readonly Address[];
}

interface Genesis extends GenesisAccounts {
  readonly network: ChainNetwork;
}

/**
 * Writes the initial state of a chain: the token and Multicall3 at their addresses on the real network, the smart
 * wallets, and the native currency for gas. Storage slot 0 of the token contract contains the token's owner.
 */
export async function writeGenesis(
  rpc: Rpc,
  { network: { usdc, usdcCode }, gasPayers, smartWallets }: Genesis,
): Promise<void> {
  await rpc.batch([
    ['anvil_setCode', [usdc, usdcCode]],
    ['anvil_setStorageAt', [usdc, toWord('0x'), toWord(OWNER)]],
    ['anvil_setCode', [MULTICALL, multicallCode]],
    ...smartWallets.map((wallet): RpcCall => ['anvil_setCode', [wallet, smartWalletCode]]),
    ...gasPayers.map((payer): RpcCall => ['anvil_setBalance', [payer, PREFUNDED_WEI]]),
  ]);
}
