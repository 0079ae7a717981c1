import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm';
import { createPublicClient, erc20Abi, http, parseEventLogs } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { printTable, quantile, formatNumber } from './support/figures.ts';
import { startPaidFloor } from './support/paid-floor.ts';
import { findFreePort } from './support/processes.ts';
import { startSandboxService, type SandboxService } from './support/sandbox-service.ts';
import { createRandom, pick } from './support/soak/random.ts';

/**
 * Measures the latency of paid operations that need no new probe, and 200 concurrent purchases of a report.
 *
 * The comparison is the smallest possible paid route with `withX402` from @x402/next, called the floor. Both run as
 * Next.js servers on this machine with the same facilitator and chain. Each round sends one request to each route, in a
 * random order. Each payment is signed before the measurement of its request starts. The floor stores no payments, so it
 * accepts the same signature twice, and a crash loses the purchase.
 *
 * In the second part, 200 buyers send a request at the same time. Each buyer must be served and charged exactly once.
 * Run the benchmark with `npm run bench:paid`. It takes a few minutes.
 */
const TEMPLATE_RESOURCE = 'https://profilehub.sandbox.test/v1/users/{userId}';
const WARM_UP_ROUNDS = 20;
const MEASURED_ROUNDS = 200;
const BUYER_COUNT = 200;
const PRICE_ATOMIC_UNITS = 5_000n;
/** Address of the wallet that receives the floor's payments. It must differ from the payer's wallet. */
const FLOOR_PAY_TO = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';

interface PaidRoute {
  readonly name: string;
  readonly url: string;
  readonly createBody: () => string;
}

type Wallet = ReturnType<typeof createWallet>;

function createWallet(key: `0x${string}`) {
  const account = privateKeyToAccount(key);
  const client = new x402HTTPClient(new x402Client().register('eip155:8453', new ExactEvmScheme(account)));
  let signed = 0;
  return {
    address: account.address,
    /**
     * Requests a challenge, signs a new payment for it, and returns the request with that payment. Each request has
     * another client address, because the challenges of one address are limited.
     */
    sign: async ({ url, createBody }: PaidRoute): Promise<RequestInit> => {
      const body = createBody();
      signed += 1;
      const address = `192.0.${signed >> 8}.${signed & 255}`;
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
      const unpaid = await fetch(url, { method: 'POST', headers, body });
      const text = await unpaid.text();
      const challenge = client.getPaymentRequiredResponse(
        (name) => unpaid.headers.get(name),
        JSON.parse(text),
      );
      const payload = await client.createPaymentPayload(challenge);
      const paying = client.encodePaymentSignatureHeader(payload);
      return { method: 'POST', headers: { ...headers, ...paying }, body };
    },
  };
}

/** Returns the time from sending a signed request to the last byte of the response, in milliseconds. */
async function timePaidRequest(route: PaidRoute, wallet: Wallet): Promise<number> {
  const request = await wallet.sign(route);
  const started = performance.now();
  const response = await fetch(route.url, request);
  const text = await response.text();
  const took = performance.now() - started;
  if (!response.ok) throw new Error(`${route.name} responded with ${response.status}: ${text}`);
  return took;
}

async function compareRoutes(floor: PaidRoute, routes: readonly PaidRoute[], wallet: Wallet): Promise<void> {
  const all = [floor, ...routes];
  const times = new Map(all.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < WARM_UP_ROUNDS + MEASURED_ROUNDS; round += 1) {
    for (const route of shuffle(all)) {
      const took = await timePaidRequest(route, wallet);
      if (round >= WARM_UP_ROUNDS) times.get(route.name)?.push(took);
    }
  }
  const toFigures = ({ name }: PaidRoute) => {
    const measured = times.get(name) ?? [];
    return { name, p50: quantile(measured, 0.5), p95: quantile(measured, 0.95) };
  };
  const base = toFigures(floor);
  printTable([
    ['', 'p50 ms', 'p95 ms', 'p50 to floor', 'p95 to floor'],
    ...all
      .map(toFigures)
      .map(({ name, p50, p95 }) => [
        name,
        formatNumber(p50, 1),
        formatNumber(p95, 1),
        formatNumber(p50 / base.p50, 2),
        formatNumber(p95 / base.p95, 2),
      ]),
  ]);
}

const random = createRandom(1);

/** Returns the items in a random order. */
const shuffle = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item);

const SUBJECTS = [
  'weather',
  'exchange rates',
  'news',
  'stock prices',
  'translation',
  'image',
  'address',
  'chain',
];
const QUALITIES = ['current', 'historical', 'cheap', 'detailed', 'daily', 'verified', 'European', 'free'];
/** Creates one of 64 queries, because the embedder can keep the last ones. */
const createQuery = (): string => `${pick(random, QUALITIES)} ${pick(random, SUBJECTS)}`;

/** JSON.stringify replacer that replaces arrays by their length. */
const replaceArrayByLength = (_: string, value: unknown): unknown =>
  Array.isArray(value) ? value.length : value;

/** Sends all purchases at the same time and compares the responses with the transfers on the chain. */
async function measureConcurrentBuyers(
  route: PaidRoute,
  wallet: Wallet,
  { chains }: SandboxService,
): Promise<void> {
  const requests: RequestInit[] = [];
  for (let buyer = 0; buyer < BUYER_COUNT; buyer += 1) requests.push(await wallet.sign(route));
  const started = performance.now();
  const responses = await Promise.all(
    requests.map(async (request) => {
      const response = await fetch(route.url, request);
      await response.arrayBuffer();
      const receipt = response.headers.get('payment-response') ?? '';
      const { transaction = '' } = JSON.parse(Buffer.from(receipt, 'base64').toString('utf8') || '{}') as {
        transaction?: string;
      };
      return { status: response.status, transaction };
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const served = responses.filter(({ status }) => status === 200);
  const transactions = new Set(served.map(({ transaction }) => transaction));
  const client = createPublicClient({ transport: http(chains.rpcUrls['eip155:8453']) });
  let moved = 0n;
  for (const transaction of transactions) {
    const { logs } = await client.getTransactionReceipt({ hash: transaction as `0x${string}` });
    for (const { args } of parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })) {
      if (args.from.toLowerCase() === wallet.address.toLowerCase()) moved += args.value;
    }
  }
  const due = BigInt(served.length) * PRICE_ATOMIC_UNITS;
  console.log(
    `  ${BUYER_COUNT} concurrent buyers: ${served.length} served in ${formatNumber(seconds, 1)} s, ${transactions.size} transactions, ` +
      `${moved} atomic units paid, ${due} due: ${moved === due && served.length === BUYER_COUNT ? 'each served and charged once' : 'MISMATCH'}`,
  );
  if (moved === due && served.length === BUYER_COUNT) return;
  console.log(
    `  statuses: ${JSON.stringify(
      Object.groupBy(responses, ({ status }) => status),
      replaceArrayByLength,
    )}`,
  );
  process.exitCode = 1;
}

const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-bench-paid-'));
const service = await startSandboxService(dataDir, await findFreePort(), { TRUSTED_PROXIES: '1' });
const wallet = createWallet(service.demoWalletKey);
const floor = await startPaidFloor(
  { X402_FACILITATOR_URL: service.chains.facilitatorUrl, X402_PAY_TO: FLOOR_PAY_TO },
  await findFreePort(),
);
try {
  const createBody = () => JSON.stringify({ resource: TEMPLATE_RESOURCE });
  const report = { name: 'report, no live probe', url: `${service.url}/v1/x402-trust`, createBody };
  const search = { name: 'search', url: `${service.url}/v1/semantic-search` };
  const routes = [
    report,
    { name: 'history', url: `${service.url}/v1/x402-history`, createBody },
    { name: 'alternatives', url: `${service.url}/v1/similar`, createBody },
    { ...search, createBody: () => JSON.stringify({ query: createQuery() }) },
  ];
  const smallest = { name: 'smallest withX402 route', url: floor.url, createBody: () => '{}' };
  await compareRoutes(smallest, routes, wallet);
  await measureConcurrentBuyers(report, wallet, service);
} finally {
  await floor.stop();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
