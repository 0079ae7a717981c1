import { encodeAbiParameters, keccak256, numberToHex, pad, stringToHex, type Hex } from 'viem';
import { AUTHORIZATION_TOPIC, TRANSFER_TOPIC } from '../evm/logs.ts';

export const USDC: Hex = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
export const GENESIS_SECONDS = 1_790_000_000;
export const BLOCK_SECONDS = 2;

export function toTestAddress(index: number): Hex {
  return pad(numberToHex(index + 0x1000), { size: 20 });
}

const FACILITATOR = toTestAddress(999_999);

export interface FakeTransfer {
  readonly block: number;
  readonly from: Hex;
  readonly to: Hex;
  readonly amount: bigint;
  /** True when the payer's authorization is logged right before the transfer. */
  readonly signed?: boolean;
  /** Address that sends the transaction; by default a facilitator. */
  readonly sender?: Hex;
  /**
   * Name of the transaction. Transfers with the same name share a transaction; a transfer without a name has its own.
   */
  readonly batch?: string;
}

/** A log in the format of `eth_getLogs` results. */
export interface FakeLog {
  address: Hex;
  topics: Hex[];
  data: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  transactionHash: Hex;
  logIndex: Hex;
  removed?: boolean;
  blockTimestamp?: Hex;
}

interface Filter {
  readonly address: Hex;
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
  readonly fromBlock: Hex;
  readonly toBlock: Hex;
}

function matches(log: FakeLog, filter: Filter): boolean {
  const number = BigInt(log.blockNumber);
  if (number < BigInt(filter.fromBlock) || number > BigInt(filter.toBlock)) return false;
  return filter.topics.every((values, position) => {
    const topic = log.topics[position];
    return values === null || (topic !== undefined && [values].flat().includes(topic));
  });
}

/** Creates a chain in memory that responds like a correct node. */
export function createFakeChain({ head, chainId = 8453 }: { head: number; chainId?: number }) {
  const state = { head, fork: '', forkFrom: Infinity };
  let transfers: FakeTransfer[] = [];
  const toHash = (block: number): Hex =>
    keccak256(stringToHex(`${chainId} ${block} ${block >= state.forkFrom ? state.fork : ''}`));
  const createHeader = (block: number) => ({
    number: numberToHex(block),
    hash: toHash(block),
    timestamp: numberToHex(GENESIS_SECONDS + block * BLOCK_SECONDS),
  });

  const logsByTransfer = new Map<FakeTransfer, FakeLog[]>();
  const createLogs = (transfer: FakeTransfer, index: number): FakeLog[] => {
    const known = logsByTransfer.get(transfer);
    if (known) return known;
    const { block, from, to, amount, signed = false, batch } = transfer;
    const transactionHash = keccak256(stringToHex(batch ?? `${index} ${block} ${from} ${to} ${amount}`));
    const place = {
      address: USDC,
      blockNumber: numberToHex(block),
      blockHash: toHash(block),
      transactionHash,
    };
    const authorization: FakeLog = {
      ...place,
      topics: [AUTHORIZATION_TOPIC, pad(from), transactionHash],
      data: '0x',
      logIndex: numberToHex(index * 2),
    };
    const data = encodeAbiParameters([{ type: 'uint256' }], [amount]);
    const topics: Hex[] = [TRANSFER_TOPIC, pad(from), pad(to)];
    const transferred: FakeLog = { ...place, topics, data, logIndex: numberToHex(index * 2 + 1) };
    const logs = signed ? [authorization, transferred] : [transferred];
    logsByTransfer.set(transfer, logs);
    return logs;
  };

  const listLogs = (): FakeLog[] =>
    transfers.flatMap((transfer, index) => (transfer.block <= state.head ? createLogs(transfer, index) : []));
  const findReceipt = (hash: unknown) => {
    const logs = listLogs().filter(({ transactionHash }) => transactionHash === hash);
    if (logs.length === 0) return null;
    const transfer = transfers.find((each) => logsByTransfer.get(each)?.[0] === logs[0]);
    const [{ blockNumber, blockHash }] = logs as [FakeLog];
    const from = transfer?.sender ?? FACILITATOR;
    return { transactionHash: hash, from, blockNumber, blockHash, status: '0x1', logs };
  };

  /** Returns true for a call of `authorizationState` (EIP-3009) with a nonce that a transfer used. */
  const isNonceUsed = (params: readonly unknown[]): boolean => {
    // The cast is safe because the reader under test sends parameters in this format.
    const [{ data }] = params as [{ data: Hex }];
    return listLogs().some(
      ({ topics: [event, , nonce] }) =>
        event === AUTHORIZATION_TOPIC && data.endsWith(nonce?.slice(2) ?? '-'),
    );
  };

  const respond = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'eth_chainId') return numberToHex(chainId);
    if (method === 'eth_blockNumber') return numberToHex(state.head);
    // The cast is safe because the reader under test sends a filter in this format.
    if (method === 'eth_getLogs') return listLogs().filter((log) => matches(log, params[0] as Filter));
    if (method === 'eth_getBlockByNumber') {
      const block = Number(params[0]);
      return block <= state.head ? createHeader(block) : null;
    }
    if (method === 'eth_getTransactionByHash') return { hash: params[0], from: FACILITATOR };
    if (method === 'eth_call') return pad(isNonceUsed(params) ? '0x1' : '0x0', { size: 32 });
    if (method === 'eth_getTransactionReceipt') return findReceipt(params[0]);
    throw new Error(`unknown method ${method}`);
  };

  return {
    state,
    respond,
    add: (...more: FakeTransfer[]) => void transfers.push(...more),
    /** Replaces block `from` and all later blocks, and removes their transfers. */
    reorg: (from: number, fork: string) => {
      state.fork = fork;
      state.forkFrom = from;
      transfers = transfers.filter(({ block }) => block < from);
    },
    transfers: () => transfers,
  };
}
export type FakeChain = ReturnType<typeof createFakeChain>;
