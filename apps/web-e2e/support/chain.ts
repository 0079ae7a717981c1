import { createPublicClient, erc20Abi, http, parseEventLogs } from 'viem';
import { readServiceAddresses } from './service-files.ts';

const createChainClient = () => createPublicClient({ transport: http(readServiceAddresses().chain.rpcUrl) });

/** Reads the time of a block of the sandbox chain, in milliseconds since the epoch. */
export async function readBlockTime(number: number): Promise<number> {
  const { timestamp } = await createChainClient().getBlock({ blockNumber: BigInt(number) });
  return Number(timestamp) * 1_000;
}

/** Reads the token transfers of a transaction from the sandbox chain. */
export async function readTransfers(transaction: string) {
  const { logs } = await createChainClient().getTransactionReceipt({ hash: transaction as `0x${string}` });
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map(({ address, args }) => ({
    asset: address.toLowerCase(),
    from: args.from.toLowerCase(),
    to: args.to.toLowerCase(),
    amount: args.value,
  }));
}
