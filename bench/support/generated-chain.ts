import { createHash } from 'node:crypto';

/** `BENCH_TRANSFERS` makes fewer. */
export const TRANSFERS = Number(process.env['BENCH_TRANSFERS'] ?? 200_000);
export const WALLETS = 5_000;
export const HEAD = 400_000;
export const CHAIN_START = 1_790_000_000;
const PAYERS = 3_000;
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const AUTHORIZATION_USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';

const hashOf = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`;
const hex = (value: number | bigint): string => `0x${value.toString(16)}`;
const topicOf = (address: string): string => `0x${'0'.repeat(24)}${address.slice(2)}`;
const addressOf = (name: string): string => hashOf(name).slice(0, 42);

export const walletAt = (index: number): string => addressOf(`wallet ${index}`);

/** The nth transfer: half of them go to a fiftieth of the wallets, and four in five are signed. */
export function transferAt(index: number) {
  const spread = Math.floor((index * 2_654_435_761) % 4_294_967_296);
  const wallet = spread % 2 === 0 ? spread % (WALLETS / 50) : spread % WALLETS;
  return {
    block: 1 + Math.floor((index * (HEAD - 100)) / TRANSFERS),
    wallet,
    payer: addressOf(`payer ${(spread >>> 3) % PAYERS}`),
    amount: BigInt((spread % 100_000) + 1),
    signed: index % 5 !== 0,
  };
}

interface StoredLog {
  readonly block: number;
  readonly event: string;
  readonly topics: readonly string[];
  /** As it is sent. */
  readonly json: string;
}

const blockHashOf = (block: number): string => hashOf(`block ${block}`);

function logsAt(index: number): StoredLog[] {
  const { block, wallet, payer, amount, signed } = transferAt(index);
  const transactionHash = hashOf(`transaction ${index}`);
  const place = { address: USDC, blockNumber: hex(block), blockHash: blockHashOf(block), transactionHash };
  // As public nodes answer today, without the time of the block.
  const log = (topics: [string, string, string], data: string, at: number): StoredLog => {
    const [event] = topics;
    const json = JSON.stringify({
      ...place,
      topics,
      data,
      logIndex: hex(at),
      transactionIndex: '0x0',
      removed: false,
    });
    return { block, event, topics, json };
  };
  const data = `0x${amount.toString(16).padStart(64, '0')}`;
  const transfer = log([TRANSFER, topicOf(payer), topicOf(walletAt(wallet))], data, index * 2 + 1);
  if (!signed) return [transfer];
  return [log([AUTHORIZATION_USED, topicOf(payer), transactionHash], '0x', index * 2), transfer];
}

interface Filter {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly topics: readonly (string | readonly string[] | null)[];
}

/** Answers eth_getLogs over all generated logs, as JSON text. */
export function createLogSource(): (filter: Filter) => string {
  const logs = Array.from({ length: TRANSFERS }, (_, index) => logsAt(index)).flat();
  const firstAt = (block: number): number => {
    let low = 0;
    let high = logs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((logs[middle]?.block ?? Infinity) < block) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return ({ fromBlock, toBlock, topics }) => {
    const wanted = topics.map((topic) => (topic === null ? null : new Set([topic].flat())));
    const range = logs.slice(firstAt(Number(fromBlock)), firstAt(Number(toBlock) + 1));
    const found = range.filter((log) =>
      wanted.every((set, place) => set === null || set.has(log.topics[place] ?? '')),
    );
    return `[${found.map(({ json }) => json).join(',')}]`;
  };
}

export function headerJson(block: number): string {
  const timestamp = hex(CHAIN_START + block * 2);
  return JSON.stringify({ number: hex(block), hash: blockHashOf(block), timestamp, transactions: [] });
}

/** Answers eth_getTransactionReceipt as JSON text, as far as the reader of settlements asks for it. */
export function createReceiptSource(): (transactionHash: string) => string {
  const indexes = new Map(
    Array.from({ length: TRANSFERS }, (_, index) => [hashOf(`transaction ${index}`), index]),
  );
  return (transactionHash) => {
    const index = indexes.get(transactionHash);
    if (index === undefined) return 'null';
    const logs = logsAt(index).map(({ json }) => json);
    return `{"transactionHash":"${transactionHash}","logs":[${logs.join(',')}]}`;
  };
}

/** Answers eth_getTransactionByHash as JSON text: nobody knows whose address sent it. */
export function senderJson(transactionHash: string): string {
  return JSON.stringify({ hash: transactionHash, from: addressOf(`sender of ${transactionHash}`) });
}
