import { createHash } from 'node:crypto';

/** Number of generated transfers. The environment variable `BENCH_TRANSFERS` sets another number. */
export const TRANSFER_COUNT = Number(process.env['BENCH_TRANSFERS'] ?? 200_000);
export const WALLET_COUNT = 5_000;
/** Number of the newest block. */
export const HEAD_BLOCK = 400_000;
/** Time of block 0, in seconds since 1970. Blocks are 2 seconds apart. */
export const CHAIN_START_SECONDS = 1_790_000_000;
const PAYER_COUNT = 3_000;
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const AUTHORIZATION_USED_TOPIC = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';

const toHash = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`;
const toHex = (value: number | bigint): string => `0x${value.toString(16)}`;
const toTopic = (address: string): string => `0x${'0'.repeat(24)}${address.slice(2)}`;
const toAddress = (name: string): string => toHash(name).slice(0, 42);

export const getWallet = (index: number): string => toAddress(`wallet ${index}`);

/**
 * Generates one transfer. Half of the transfers go to 2 % of the wallets, and four in five have an EIP-3009
 * authorization.
 */
export function generateTransfer(index: number) {
  const spread = Math.floor((index * 2_654_435_761) % 4_294_967_296);
  const wallet = spread % 2 === 0 ? spread % (WALLET_COUNT / 50) : spread % WALLET_COUNT;
  return {
    block: 1 + Math.floor((index * (HEAD_BLOCK - 100)) / TRANSFER_COUNT),
    wallet,
    payer: toAddress(`payer ${(spread >>> 3) % PAYER_COUNT}`),
    amount: BigInt((spread % 100_000) + 1),
    signed: index % 5 !== 0,
  };
}

interface GeneratedLog {
  readonly block: number;
  readonly event: string;
  readonly topics: readonly string[];
  /** Log as JSON text, in the format of an RPC node. */
  readonly json: string;
}

const toBlockHash = (block: number): string => toHash(`block ${block}`);

function generateLogs(index: number): GeneratedLog[] {
  const { block, wallet, payer, amount, signed } = generateTransfer(index);
  const transactionHash = toHash(`transaction ${index}`);
  const location = {
    address: USDC,
    blockNumber: toHex(block),
    blockHash: toBlockHash(block),
    transactionHash,
  };
  // Today's public RPC nodes omit the block time in logs, so these logs omit it too.
  const log = (topics: [string, string, string], data: string, at: number): GeneratedLog => {
    const [event] = topics;
    const json = JSON.stringify({
      ...location,
      topics,
      data,
      logIndex: toHex(at),
      transactionIndex: '0x0',
      removed: false,
    });
    return { block, event, topics, json };
  };
  const data = `0x${amount.toString(16).padStart(64, '0')}`;
  const transfer = log([TRANSFER_TOPIC, toTopic(payer), toTopic(getWallet(wallet))], data, index * 2 + 1);
  if (!signed) return [transfer];
  return [log([AUTHORIZATION_USED_TOPIC, toTopic(payer), transactionHash], '0x', index * 2), transfer];
}

interface Filter {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly topics: readonly (string | readonly string[] | null)[];
}

/** Returns a function that responds to eth_getLogs from all generated logs. It returns JSON text. */
export function createLogSource(): (filter: Filter) => string {
  const logs = Array.from({ length: TRANSFER_COUNT }, (_, index) => generateLogs(index)).flat();
  const findFirstLog = (block: number): number => {
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
    const range = logs.slice(findFirstLog(Number(fromBlock)), findFirstLog(Number(toBlock) + 1));
    const found = range.filter((log) =>
      wanted.every((set, place) => set === null || set.has(log.topics[place] ?? '')),
    );
    return `[${found.map(({ json }) => json).join(',')}]`;
  };
}

export function formatBlockHeader(block: number): string {
  const timestamp = toHex(CHAIN_START_SECONDS + block * 2);
  return JSON.stringify({ number: toHex(block), hash: toBlockHash(block), timestamp, transactions: [] });
}

/**
 * Returns a function that responds to eth_getTransactionReceipt. It returns JSON text with only the fields that the
 * settlement reader uses.
 */
export function createReceiptSource(): (transactionHash: string) => string {
  const indexes = new Map(
    Array.from({ length: TRANSFER_COUNT }, (_, index) => [toHash(`transaction ${index}`), index]),
  );
  return (transactionHash) => {
    const index = indexes.get(transactionHash);
    if (index === undefined) return 'null';
    const logs = generateLogs(index).map(({ json }) => json);
    return `{"transactionHash":"${transactionHash}","logs":[${logs.join(',')}]}`;
  };
}

/** Returns the response to eth_getTransactionByHash as JSON text. Each transaction has a different sender. */
export function formatTransaction(transactionHash: string): string {
  return JSON.stringify({ hash: transactionHash, from: toAddress(`sender of ${transactionHash}`) });
}
