import { once } from 'node:events';
import { createProviders, readSettlements } from '@touchstone/chain';
import { createKeys, startEmbedded } from '@touchstone/embedded';
import { connect, readWalletGroups, recordSettlements, type Db } from '@touchstone/store';
import type { ChainCursor } from '@touchstone/x402';
import {
  createPublicClient,
  encodeEventTopics,
  formatLog,
  http,
  numberToHex,
  pad,
  parseAbi,
  parseEventLogs,
  type Hex,
} from 'viem';
import { base } from 'viem/chains';
import { printTable, formatNumber } from './support/figures.ts';
import {
  CHAIN_START_SECONDS,
  HEAD_BLOCK,
  generateTransfer,
  TRANSFER_COUNT,
  getWallet,
  WALLET_COUNT,
} from './support/generated-chain.ts';
import { startHelper, stopProcess } from './support/processes.ts';

/**
 * Measures how many settled payments per second are read from a chain and stored. The chain has 200,000 transfers to
 * 5,000 wallets. It is served by a simulated RPC node in another process with all data in memory. Run it with `npm run
 * bench:settle`. It takes a few minutes.
 *
 * The comparison is viem in the same run. It calls eth_getLogs for the same wallets in block ranges of the same size,
 * decodes the logs and discards them. It reads no authorizations, block times or senders, does not verify responses,
 * and stores nothing. Its time is therefore a lower bound.
 */
const NETWORK = 'eip155:8453';
const USDC: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const NOW_MS = (CHAIN_START_SECONDS + HEAD_BLOCK * 2) * 1_000;
const BLOCKS_PER_REQUEST = 9_000;

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const wallets = Array.from({ length: WALLET_COUNT }, (_, index) => getWallet(index));

interface Timing {
  readonly name: string;
  readonly transfers: number;
  readonly ms: number;
}

async function timeReading(name: string, work: () => Promise<number>): Promise<Timing> {
  const startedAt = performance.now();
  const transfers = await work();
  const ms = performance.now() - startedAt;
  console.log(`${name}: ${formatNumber(transfers)} transfers in ${formatNumber(ms / 1_000, 1)} s`);
  return { name, transfers, ms };
}

const TRANSFER_ABI = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);

/**
 * Reads all transfers with viem only. The function does not call `getLogs` of viem, because `getLogs` would compare
 * each log with the 900 wallets of the request, although the node has already filtered the logs.
 */
async function readWithViem(url: string): Promise<number> {
  const client = createPublicClient({ chain: base, transport: http(url) });
  const [transfer] = encodeEventTopics({ abi: TRANSFER_ABI, eventName: 'Transfer' });
  let decoded = 0;
  for (let from = 0; from <= HEAD_BLOCK; from += BLOCKS_PER_REQUEST) {
    const fromBlock = numberToHex(from);
    const toBlock = numberToHex(Math.min(from + BLOCKS_PER_REQUEST - 1, HEAD_BLOCK));
    for (let index = 0; index < WALLET_COUNT; index += 900) {
      // The cast is safe, because getWallet returns 0x and 40 hexadecimal digits.
      const to = wallets.slice(index, index + 900).map((wallet) => pad(wallet as Hex));
      const filter = { address: USDC, topics: [transfer, null, to], fromBlock, toBlock };
      const logs = await client.request({ method: 'eth_getLogs', params: [filter] });
      const formatted = logs.map((log) => formatLog(log));
      const events = parseEventLogs({
        abi: TRANSFER_ABI,
        logs: formatted,
        eventName: 'Transfer',
        strict: true,
      });
      decoded += events.filter(({ args }) => args.value > 0n).length;
    }
  }
  return decoded;
}

function openProviders(url: string) {
  return createProviders({ network: NETWORK, urls: [url], fetch, sleep, now: Date.now });
}

async function readWithoutStoring(url: string): Promise<number> {
  const providers = openProviders(url);
  let cursor: ChainCursor | null = null;
  for (let read = 0; ;) {
    const order = { network: NETWORK, wallets, cursor, since: 0 } as const;
    const step = await readSettlements({ ...order, providers });
    read += step.settlements.length;
    cursor = step.cursor;
    if (step.caughtUp) return read;
  }
}

/**
 * Reads and stores settlements like the settlement job: it takes the next wallet group, reads one step of blocks and
 * stores the settlements, until all blocks are read.
 */
async function readAndStore(url: string, db: Db): Promise<number> {
  const providers = openProviders(url);
  for (let stored = 0; ;) {
    const [group] = await readWalletGroups(db, NETWORK);
    if (group === undefined) throw new Error('no wallet group is stored');
    const { cursor, since, group: groupNumber, revision } = group;
    const order = { network: NETWORK, wallets: group.wallets, cursor, since } as const;
    const step = await readSettlements({ ...order, providers });
    const done = await recordSettlements(
      db,
      { network: NETWORK, group: groupNumber, revision, now: NOW_MS },
      step,
    );
    if (done.stale || done.recorded !== step.settlements.length)
      throw new Error('some settlements were not recorded');
    stored += done.recorded;
    if (step.caughtUp) return stored;
  }
}

function sumSignedVolume(): bigint {
  let volume = 0n;
  for (let index = 0; index < TRANSFER_COUNT; index += 1) {
    const { signed, amount } = generateTransfer(index);
    if (signed) volume += amount;
  }
  return volume;
}

async function measureOnEmbedded(url: string): Promise<Timing> {
  const keys = createKeys();
  const database = await startEmbedded({ keys });
  try {
    const { driver } = database.connection;
    const db = connect({ url: database.url, key: keys.secret });
    // These are the rows that assignWalletGroups would insert. They are inserted directly, because that function needs
    // endpoints that advertise the wallets, and this benchmark has none.
    await driver.exec(`
      insert into public.chain_cursors (network, wallet_group, since) values ('${NETWORK}', 0, to_timestamp(0));
      insert into public.chain_wallets (network, pay_to, wallet_group, since, advertised_at)
      select '${NETWORK}', w, 0, to_timestamp(0), now()
      from unnest(array[${wallets.map((wallet) => `'${wallet}'`).join(',')}]) w`);
    const timing = await timeReading('read and stored in the embedded database', () => readAndStore(url, db));
    const sums = await driver.query<{ volume: string }>(
      'select sum(volume)::text as volume from public.wallet_payer_days',
    );
    if (BigInt(sums.rows[0]?.volume ?? -1) !== sumSignedVolume())
      throw new Error('the stored volume differs from the volume on the generated chain');
    return timing;
  } finally {
    await database.close();
  }
}

async function main(): Promise<void> {
  const server = startHelper(new URL('./support/chain-server.ts', import.meta.url), []);
  try {
    const [address] = (await once(server, 'message')) as [{ port: number }];
    const url = `http://127.0.0.1:${address.port}`;
    const timings = [
      await timeReading('viem only', () => readWithViem(url)),
      await timeReading('read, matched and dated', () => readWithoutStoring(url)),
      await measureOnEmbedded(url),
    ];
    const peer = timings[0]?.ms ?? 0;
    printTable([
      [
        `${formatNumber(TRANSFER_COUNT)} transfers, ${formatNumber(WALLET_COUNT)} wallets`,
        'transfers',
        's',
        'per second',
        'time ratio to viem',
      ],
      ...timings.map(({ name, transfers, ms }) => [
        name,
        formatNumber(transfers),
        formatNumber(ms / 1_000, 1),
        formatNumber((transfers * 1_000) / ms),
        formatNumber(ms / peer, 2),
      ]),
    ]);
    if (timings.some(({ transfers }) => transfers !== TRANSFER_COUNT))
      throw new Error('the number of transfers differs from the generated chain');
  } finally {
    await stopProcess(server);
  }
}

await main();
