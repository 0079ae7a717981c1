import { numberToHex } from 'viem';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { headerSchema, type Header } from './schemas.ts';

function check(header: Header | null, number: bigint): Header | null {
  if (header !== null && header.number !== number) {
    throw new RpcFailure('unusable', 'answered with another block than was asked for');
  }
  return header;
}

/** The header of a block; null where the provider does not have it. */
export async function findHeader(provider: Provider, number: bigint): Promise<Header | null> {
  return check(
    await provider.call('eth_getBlockByNumber', [numberToHex(number), false], headerSchema),
    number,
  );
}

/** @throws RpcFailure where the provider does not have the block */
export async function readHeader(provider: Provider, number: bigint): Promise<Header> {
  const header = await findHeader(provider, number);
  if (header === null) throw new RpcFailure('unusable', `does not have block ${number}`);
  return header;
}

/** The headers of several blocks, in few requests. */
export async function readHeaders(
  provider: Provider,
  numbers: readonly bigint[],
): Promise<Map<bigint, Header>> {
  const params = numbers.map((number) => [numberToHex(number), false]);
  const headers = await provider.callMany('eth_getBlockByNumber', params, headerSchema);
  const byNumber = new Map<bigint, Header>();
  for (const [index, number] of numbers.entries()) {
    const header = check(headers[index] ?? null, number);
    if (header === null) throw new RpcFailure('unusable', `does not have block ${number}`);
    byNumber.set(number, header);
  }
  return byNumber;
}
