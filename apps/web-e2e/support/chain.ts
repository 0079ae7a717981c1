import { createPublicClient, erc20Abi, http, parseEventLogs } from 'viem';
import { whereabouts } from './whereabouts.ts';

const clientOf = () => createPublicClient({ transport: http(whereabouts().chain.rpcUrl) });

/** Time of a block of the sandbox's chain, milliseconds since the epoch. */
export async function timeOfBlock(number: number): Promise<number> {
  const { timestamp } = await clientOf().getBlock({ blockNumber: BigInt(number) });
  return Number(timestamp) * 1_000;
}

/** What a transaction moved, as the chain of the sandbox has it. */
export async function transfersOf(transaction: string) {
  const { logs } = await clientOf().getTransactionReceipt({ hash: transaction as `0x${string}` });
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map(({ address, args }) => ({
    asset: address.toLowerCase(),
    from: args.from.toLowerCase(),
    to: args.to.toLowerCase(),
    amount: args.value,
  }));
}
