import { z } from 'zod';
import type { Providers } from '../rpc/providers.ts';
import { quantitySchema } from './schemas.ts';

const blockSchema = z.object({ number: quantitySchema, timestamp: quantitySchema });

/** Newest block of an EVM network. */
export interface NewestBlock {
  readonly number: number;
  /** Time of the block, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Reads the newest block of an EVM network, to find out if the network can be read and still makes blocks.
 * @throws ChainUnreadableError when no provider can be read
 */
export async function readNewestBlock(providers: Providers): Promise<NewestBlock> {
  const { number, timestamp } = await providers.use((provider) =>
    provider.call('eth_getBlockByNumber', ['latest', false], blockSchema),
  );
  return { number: Number(number), at: Number(timestamp) * 1_000 };
}
