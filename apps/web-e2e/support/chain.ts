import { createPublicClient, erc20Abi, http, parseEventLogs } from 'viem';
import { whereabouts } from './whereabouts.ts';

/** What a transaction moved, as the chain of the sandbox has it. */
export async function transfersOf(transaction: string) {
  const client = createPublicClient({ transport: http(whereabouts().chain.rpcUrl) });
  const { logs } = await client.getTransactionReceipt({ hash: transaction as `0x${string}` });
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map(({ address, args }) => ({
    asset: address.toLowerCase(),
    from: args.from.toLowerCase(),
    to: args.to.toLowerCase(),
    amount: args.value,
  }));
}
