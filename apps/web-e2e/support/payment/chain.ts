import { createPublicClient, erc20Abi, http, parseEventLogs } from 'viem';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { readServiceAddresses } from '../service-files.ts';

/** Network on which the sandbox service sells its reports. */
const SALES_NETWORK = 'eip155:8453';
/** USDC by network. */
const USDC = {
  'eip155:8453': '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  'eip155:137': '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
} as const;

/** Creates a client of the sandbox chain of a network (CAIP-2 id). */
function createChainClient(network: string, dataDir?: string) {
  const url = readServiceAddresses(dataDir).chains.rpcUrls[network];
  if (url === undefined) throw new Error(`The service under test has no chain for ${network}`);
  return createPublicClient({ transport: http(url) });
}

/** Reads the time of a block of a network's sandbox chain, in milliseconds since the epoch. */
export async function readBlockTime(network: string, number: number): Promise<number> {
  const { timestamp } = await createChainClient(network).getBlock({ blockNumber: BigInt(number) });
  return Number(timestamp) * 1_000;
}

/** Reads the token transfers of a sale of the service from the sandbox chain. */
export async function readTransfers(transaction: string) {
  const client = createChainClient(SALES_NETWORK);
  const { logs } = await client.getTransactionReceipt({ hash: transaction as `0x${string}` });
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map(({ address, args }) => ({
    asset: address.toLowerCase(),
    from: args.from.toLowerCase(),
    to: args.to.toLowerCase(),
    amount: args.value,
  }));
}

/** Counts the token transfers from a wallet on the chain on which the service sells its reports. */
export async function countTransfersFrom(from: string, dataDir?: string): Promise<number> {
  const client = createChainClient(SALES_NETWORK, dataDir);
  const transfers = await client.getContractEvents({
    abi: erc20Abi,
    eventName: 'Transfer',
    args: { from: from as `0x${string}` },
    fromBlock: 0n,
  });
  return transfers.length;
}

/** Reads all token transfers from a wallet on a network, oldest first. */
export async function readTransfersFrom({ address: from }: PrivateKeyAccount, network: string) {
  const client = createChainClient(network);
  const transfers = await client.getContractEvents({
    abi: erc20Abi,
    eventName: 'Transfer',
    args: { from },
    fromBlock: 0n,
    strict: true,
  });
  return transfers.map(({ address, args, transactionHash: transaction }) => ({
    network,
    transaction,
    asset: address.toLowerCase(),
    payTo: args.to.toLowerCase(),
    amount: args.value.toString(),
  }));
}

/**
 * Creates a new wallet with sandbox USDC. No other test uses the wallet, so a test can compare the balance.
 *
 * @param balance initial balance on each network, in atomic units
 * @param tokens addresses of USDC by network; the default is USDC on Base and on Polygon
 * @param key private key of the wallet; the default is a new key
 */
export async function createWallet(
  balance: bigint,
  tokens: Readonly<Record<string, string>> = USDC,
  key = generatePrivateKey(),
): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(key);
  for (const [network, asset] of Object.entries(tokens)) {
    await createChainClient(network).request({
      // viem has no type for this method of anvil.
      method: 'anvil_dealERC20' as 'eth_call',
      params: [account.address, asset, `0x${balance.toString(16)}`] as never,
    });
  }
  return account;
}

/** Reads the balance of a wallet in atomic units of USDC, on the chain on which the service sells its reports. */
export function readBalance({ address }: PrivateKeyAccount): Promise<bigint> {
  return createChainClient(SALES_NETWORK).readContract({
    address: USDC[SALES_NETWORK],
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  });
}
