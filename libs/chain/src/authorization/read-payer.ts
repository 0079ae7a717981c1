import { encodeFunctionData, numberToHex, type Hex } from 'viem';
import { z } from 'zod';
import { quantitySchema, wordSchema } from '../evm/logs.ts';
import { RpcFailure } from '../rpc/provider.ts';
import type { Providers } from '../rpc/providers.ts';
import { TOKEN } from './read-nonce.ts';

/**
 * Returns true if the chain makes a block only for a transaction, so its last block may be old: the provider names itself
 * as anvil, the node of local chains.
 * @throws ChainUnreadableError when no provider can be read
 */
export function isMinedOnDemand(providers: Providers): Promise<boolean> {
  return providers.use(async (provider) => {
    try {
      return (await provider.call('web3_clientVersion', [], z.string())).startsWith('anvil/');
    } catch (error) {
      // Providers may refuse this method.
      if (error instanceof RpcFailure) return false;
      throw error;
    }
  });
}

const codeSchema = z.string().regex(/^0x(?:[0-9a-f]{2})*$/i);

/**
 * Returns true if an address has code in the latest block. Such an address can have its own rules for signatures
 * (ERC-1271).
 * @throws ChainUnreadableError when no provider can be read
 */
export function hasCode(providers: Providers, address: Hex): Promise<boolean> {
  return providers.use(
    async (provider) => (await provider.call('eth_getCode', [address, 'latest'], codeSchema)) !== '0x',
  );
}

/**
 * A token and a payer, and nonces of authorizations that may have reduced the payer's balance. Addresses are lower
 * case.
 */
export interface FundsQuery {
  readonly asset: Hex;
  readonly payer: Hex;
  /** 32 bytes each. */
  readonly nonces: readonly Hex[];
}

/**
 * Token balance of a payer at the end of a block, in atomic units, and the requested nonces used by the end of that
 * block.
 */
export interface Funds {
  readonly balance: bigint;
  readonly usedNonces: ReadonlySet<Hex>;
}

/**
 * Reads the token balance of a payer, and which nonces of the payer's authorizations (EIP-3009) are used. All values
 * are read at the end of one block, so they are consistent.
 * @throws ChainUnreadableError when no provider can be read
 */
export async function readFunds(providers: Providers, { asset, payer, nonces }: FundsQuery): Promise<Funds> {
  const stateCalls = nonces.map((nonce) =>
    encodeFunctionData({ abi: TOKEN, functionName: 'authorizationState', args: [payer, nonce] }),
  );
  const balanceCall = encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [payer] });
  return providers.use(async (provider) => {
    const block = numberToHex(await provider.call('eth_blockNumber', [], quantitySchema));
    const params = [balanceCall, ...stateCalls].map((data) => [{ to: asset, data }, block]);
    const [balance = '0x0', ...states] = await provider.callMany('eth_call', params, wordSchema);
    const used = nonces.filter((_, index) => BigInt(states[index] ?? '0x0') !== 0n);
    return { balance: BigInt(balance), usedNonces: new Set(used) };
  });
}
