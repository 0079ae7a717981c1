import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm';
import { createPublicClient, erc20Abi, http, parseEventLogs } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { findFreePort } from '../libs/embedded/src/testing/postgres.ts';
import { formatNumber, measureRounds, printTable, quantile } from './support/figures.ts';
import { stopProcess } from './support/processes.ts';
import { runWithSandbox, type SandboxService } from './support/sandbox-service.ts';

/**
 * Measures the latency of paid operations that need no new probe, and 200 concurrent purchases of a report.
 *
 * The comparison is the smallest possible paid route with `withX402` from @x402/next. This file calls that route the
 * floor. The floor and the site are Next.js servers on this machine with the same facilitator and chain. Each round
 * sends one request to each route. Each payment is signed before the measurement of its request starts. The floor
 * stores no payments, so it accepts the same signature twice, and a crash loses the purchase.
 *
 * In the second part, 200 buyers send a request at the same time. Each buyer must be served and charged exactly once.
 * Run the benchmark with `npm run bench:paid`. It takes a few minutes.
 */
const TEMPLATE_RESOURCE = 'https://profilehub.sandbox.test/v1/users/{userId}';
const WARM_UP_ROUNDS = 20;
const MEASURED_ROUNDS = 200;
const BUYER_COUNT = 200;
const PRICE_ATOMIC_UNITS = 5_000n;
/** Wallet address that receives the payments of the smallest paid route. It must differ from the payer's wallet. */
const FLOOR_PAY_TO = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';

const FLOOR_FOLDER = fileURLToPath(new URL('paid-floor', import.meta.url));
/** Timeout for starting the floor server (the smallest paid route with `withX402`), in milliseconds. */
const FLOOR_START_MS = 30_000;

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
     * Requests a challenge, signs a new payment for it, and returns the request with that payment. Each request has a
     * different client address, because the challenges of one address are limited.
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
  const subjects = [floor, ...routes].map((route) => ({
    name: route.name,
    measure: () => timePaidRequest(route, wallet),
  }));
  const times = await measureRounds(subjects, {
    warmUp: WARM_UP_ROUNDS,
    measured: MEASURED_ROUNDS,
  });
  const find = (name: string, share: number): number => quantile(times.get(name) ?? [], share);
  printTable([
    ['', 'p50 ms', 'p95 ms', 'p50 to floor', 'p95 to floor'],
    ...subjects.map(({ name }) => [
      name,
      ...[0.5, 0.95].map((share) => formatNumber(find(name, share), 1)),
      ...[0.5, 0.95].map((share) => formatNumber(find(name, share) / find(floor.name, share), 2)),
    ]),
  ]);
}

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
  console.log(`  statuses: ${responses.map(({ status }) => status).join(' ')}`);
  process.exitCode = 1;
}

/**
 * Builds and starts the floor: the smallest Next.js application with a paid route of `withX402`. Its latency is the
 * lower bound for the latency of paid routes.
 */
async function startPaidFloor(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const options = {
    cwd: FLOOR_FOLDER,
    env: { ...process.env, ...env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  } as const;
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
  const build = spawnSync(process.execPath, [next, 'build'], { ...options, encoding: 'utf8' });
  if (build.status !== 0)
    throw new Error(`The baseline application could not be built:\n${build.stdout}${build.stderr}`);
  const port = await findFreePort();
  const child = spawn(process.execPath, [next, 'start', '--port', String(port)], {
    ...options,
    stdio: 'ignore',
  });
  const url = `http://localhost:${port}/paid`;
  const deadline = performance.now() + FLOOR_START_MS;
  for (;;) {
    const response = await fetch(url, { method: 'POST' }).catch(() => null);
    if (response?.status === 402) return { url, stop: () => stopProcess(child) };
    if (performance.now() > deadline) throw new Error('The baseline route did not respond with 402 in time');
    await sleep(100);
  }
}

async function measureAll(service: SandboxService): Promise<void> {
  const wallet = createWallet(service.demoWalletKey);
  const variables = { X402_FACILITATOR_URL: service.chains.facilitatorUrl, X402_PAY_TO: FLOOR_PAY_TO };
  const floor = await startPaidFloor(variables);
  try {
    const createBody = () => JSON.stringify({ resource: TEMPLATE_RESOURCE });
    const report = { name: 'report, no live probe', url: `${service.url}/v1/x402-trust`, createBody };
    const routes = [
      report,
      { name: 'history', url: `${service.url}/v1/x402-history`, createBody },
      { name: 'alternatives', url: `${service.url}/v1/similar`, createBody },
    ];
    const smallest = { name: 'smallest withX402 route', url: floor.url, createBody: () => '{}' };
    await compareRoutes(smallest, routes, wallet);
    await measureConcurrentBuyers(report, wallet, service);
  } finally {
    await floor.stop();
  }
}

await runWithSandbox('paid', measureAll, { TRUSTED_PROXIES: '1' });
