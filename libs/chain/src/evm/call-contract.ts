import { type Hex, numberToHex } from 'viem';
import { z } from 'zod';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import { wordSchema } from './logs.ts';

const resultSchema = z.union([wordSchema, z.literal('0x')]);

/**
 * Calls a contract at the end of a block, and returns its result of 32 bytes.
 * @throws RpcFailure of the kind `reverted` when the address has no contract with this function
 */
export async function callContract(
  provider: Provider,
  call: { readonly to: Hex; readonly data: Hex },
  block: bigint,
): Promise<bigint> {
  const result = await provider.call('eth_call', [call, numberToHex(block)], resultSchema);
  if (result === '0x') throw new RpcFailure('reverted', 'has no contract with the called function');
  return BigInt(result);
}
