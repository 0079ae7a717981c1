import { once } from 'node:events';
import { createProviders, readSettlements } from '@touchstone/chain';
import { createKeys, startEmbedded } from '@touchstone/embedded';
import { connect, readChainLanes, recordSettlements, type Db } from '@touchstone/store';
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
import { printTable, round } from './support/figures.ts';
import { CHAIN_START, HEAD, transferAt, TRANSFERS, walletAt, WALLETS } from './support/generated-chain.ts';
import { startHelper, stopProcess } from './support/processes.ts';

/**
 * How many settlements a second are read from a chain of 200,000 transfers to 5,000 wallets, and stored. Run it with
 * `npm run bench:settle`; it takes some minutes. The chain is a node in another process that answers from memory.
 *
 * The peer is viem in the same run: eth_getLogs for the same wallets in ranges of the same size, its logs decoded and
 * dropped. It neither asks for authorizations, block times and senders, nor checks that the provider is telling
 * the truth, nor stores anything: it is the floor, not a rival.
 */
const NETWORK = 'eip155:8453';
const USDC: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const NOW = (CHAIN_START + HEAD * 2) * 1_000;
const SPAN = 9_000;

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const wallets = Array.from({ length: WALLETS }, (_, index) => walletAt(index));

interface Timing {
  readonly name: string;
  readonly transfers: number;
  readonly ms: number;
}

async function timed(name: string, work: () => Promise<number>): Promise<Timing> {
  const startedAt = performance.now();
  const transfers = await work();
  const ms = performance.now() - startedAt;
  console.log(`${name}: ${round(transfers)} transfers in ${round(ms / 1_000, 1)} s`);
  return { name, transfers, ms };
}

const EVENTS = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);

/** The peer: viem alone. Its getLogs would compare each log with each of 900 wallets again, so its parts are used. */
async function readWithViem(url: string): Promise<number> {
  const client = createPublicClient({ chain: base, transport: http(url) });
  const [transfer] = encodeEventTopics({ abi: EVENTS, eventName: 'Transfer' });
  let decoded = 0;
  for (let from = 0; from <= HEAD; from += SPAN) {
    const fromBlock = numberToHex(from);
    const toBlock = numberToHex(Math.min(from + SPAN - 1, HEAD));
    for (let index = 0; index < WALLETS; index += 900) {
      // Wallets are made of 40 hexadecimal digits.
      const to = wallets.slice(index, index + 900).map((wallet) => pad(wallet as Hex));
      const filter = { address: USDC, topics: [transfer, null, to], fromBlock, toBlock };
      const logs = await client.request({ method: 'eth_getLogs', params: [filter] });
      const formatted = logs.map((log) => formatLog(log));
      const events = parseEventLogs({ abi: EVENTS, logs: formatted, eventName: 'Transfer', strict: true });
      decoded += events.filter(({ args }) => args.value > 0n).length;
    }
  }
  return decoded;
}

function openProviders(url: string) {
  return createProviders({ network: NETWORK, urls: [url], fetch, sleep, now: Date.now });
}

async function readOnly(url: string): Promise<number> {
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

/** As the job does it: what is to be read, one step, and what it found, until nothing is left. */
async function readAndStore(url: string, db: Db): Promise<number> {
  const providers = openProviders(url);
  for (let stored = 0; ;) {
    const [lane] = await readChainLanes(db, NETWORK);
    if (lane === undefined) throw new Error('nobody advertises a wallet');
    const { cursor, since, lane: number, revision } = lane;
    const order = { network: NETWORK, wallets: lane.wallets, cursor, since } as const;
    const step = await readSettlements({ ...order, providers });
    const done = await recordSettlements(db, { network: NETWORK, lane: number, revision, now: NOW }, step);
    if (done.stale || done.recorded !== step.settlements.length) throw new Error('not all was recorded');
    stored += done.recorded;
    if (step.caughtUp) return stored;
  }
}

function expectedVolume(): bigint {
  let volume = 0n;
  for (let index = 0; index < TRANSFERS; index += 1) {
    const { signed, amount } = transferAt(index);
    if (signed) volume += amount;
  }
  return volume;
}

async function onEmbedded(url: string): Promise<Timing> {
  const keys = createKeys();
  const database = await startEmbedded({ keys });
  try {
    const { driver } = database.connection;
    const db = connect({ url: database.url, key: keys.secret });
    // As opening a lane would have left it, whatever endpoints advertise the wallets.
    await driver.exec(`
      insert into public.chain_cursors (network, lane, since) values ('${NETWORK}', 0, to_timestamp(0));
      insert into public.chain_wallets (network, pay_to, lane, since, advertised_at)
      select '${NETWORK}', w, 0, to_timestamp(0), now()
      from unnest(array[${wallets.map((wallet) => `'${wallet}'`).join(',')}]) w`);
    const timing = await timed('read and stored in the embedded database', () => readAndStore(url, db));
    const sums = await driver.query<{ volume: string }>(
      'select sum(volume)::text as volume from public.wallet_payer_days',
    );
    if (BigInt(sums.rows[0]?.volume ?? -1) !== expectedVolume())
      throw new Error('the sums are not what was paid');
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
      await timed('viem alone', () => readWithViem(url)),
      await timed('read, paired and dated', () => readOnly(url)),
      await onEmbedded(url),
    ];
    const peer = timings[0]?.ms ?? 0;
    printTable([
      [
        `${round(TRANSFERS)} transfers, ${round(WALLETS)} wallets`,
        'transfers',
        's',
        'a second',
        'times viem',
      ],
      ...timings.map(({ name, transfers, ms }) => [
        name,
        round(transfers),
        round(ms / 1_000, 1),
        round((transfers * 1_000) / ms),
        round(ms / peer, 2),
      ]),
    ]);
    if (timings.some(({ transfers }) => transfers !== TRANSFERS)) throw new Error('transfers are missing');
  } finally {
    await stopProcess(server);
  }
}

await main();
