import { z } from 'zod';
import type { Hex } from 'viem';
import type { Providers } from '../rpc/providers.ts';

const codeSchema = z.string().regex(/^0x(?:[0-9a-f]{2})*$/i);

/**
 * Returns true if an address has code in the latest block. Such an address can have its own rules for signatures
 * (ERC-1271).
 * @throws ChainUnreadableError when no provider can be read
 */
export const hasCode = (providers: Providers, address: Hex): Promise<boolean> =>
  providers.use(
    async (provider) => (await provider.call('eth_getCode', [address, 'latest'], codeSchema)) !== '0x',
  );
