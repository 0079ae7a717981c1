import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OPERATIONS, toExamplePath } from '@touchstone/contract';
import {
  countFacilitatorRequests,
  createHookVariables,
  toSilentUrl,
} from '../apps/web-e2e/support/attacks/hooked-sandbox.ts';
import {
  createHttpClient,
  type HttpClient,
  type HttpReply,
  type HttpRequest,
} from '../apps/web-e2e/support/attacks/http-client.ts';
import {
  createPayer,
  forgePayment,
  fundWallet,
  type Payer,
  type Purchase,
} from '../apps/web-e2e/support/attacks/payer.ts';
import { findPart } from './support/attacks/process-tree.ts';
import {
  countStatuses,
  measureRateOfManyClients,
  repeatAtRate,
  takeAddress,
} from './support/attacks/rates.ts';
import { formatNumber, median, printTable, quantile } from './support/figures.ts';
import { findFreePort } from './support/processes.ts';
import { startSandboxService, type SandboxService } from './support/sandbox-service.ts';

/**
 * Measures what attacks without a cost do to the service, and the sizes and rates of responses, on a service with its
 * sandbox in the embedded database.
 *
 * Run `npm run build` first, then `npm run bench:attacks`. It takes about ten minutes. `BENCH_PURCHASES` sets the number
 * of measured purchases of each situation, and `BENCH_ROUNDS` the number of rounds of the rates.
 */
const PURCHASES = Number(process.env['BENCH_PURCHASES'] ?? 40);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 6);
const ROUND_MS = 2_000;
const CONNECTIONS = 16;
const SILENT_PURCHASES_PER_SECOND = 8;
const UNKNOWN_SLUGS_PER_SECOND = 243;
const LIMITED_REQUESTS = 2_000;
const FORGED_PAYMENTS = 50;
/** Time in which an attack takes effect before the measurement, in milliseconds. */
const ATTACK_LEAD_MS = 5_000;
/** Maximum number of times that a buyer sends a request whose connection fails. */
const MAX_ATTEMPTS = 50;
const RETRY_PAUSE_MS = 100;
/** Time for which the database does not respond. It exceeds the timeout of the shared rate-limit counter. */
const STALL_MS = 700;
const STATIC_NAME = 'bench-static.json';
const STATIC_FILE = fileURLToPath(new URL(`../apps/web/public/${STATIC_NAME}`, import.meta.url));
const RESOURCE = 'https://fxline.sandbox.test/v1/rates/latest';
const HISTORY: Purchase = { path: '/v1/x402-history', body: { resource: RESOURCE } };

interface Stage {
  readonly service: SandboxService;
  readonly buyer: Payer;
  /** File in which the sandbox records the requests to its facilitator. */
  readonly record: string;
}

/** Sends a request again when its connection fails, as a buyer does. */
async function sendUntilAnswered(client: HttpClient, request: HttpRequest): Promise<HttpReply> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.send(request);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
      await sleep(RETRY_PAUSE_MS);
    }
  }
}

/** Buys histories one after the other and returns the times of the paid requests, in milliseconds. */
async function timePurchases({ service, buyer }: Stage): Promise<readonly number[]> {
  const client = createHttpClient(service.url, takeAddress());
  const times: number[] = [];
  for (let index = 0; index < PURCHASES; index += 1) {
    const signing = { ...client, send: (request: HttpRequest) => sendUntilAnswered(client, request) };
    const [headers = {}] = await buyer.sign(signing, HISTORY, 1);
    const started = performance.now();
    const { status, body } = await sendUntilAnswered(client, { method: 'POST', ...HISTORY, headers });
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`a purchase of a history got status ${status}: ${body}`);
  }
  client.close();
  return times;
}

const formatTimes = (name: string, times: readonly number[]): string[] => [
  name,
  formatNumber(quantile(times, 0.5)),
  formatNumber(quantile(times, 0.95)),
];

/** Measures purchases while one address buys reports on new URLs that never respond. Those are not charged. */
async function measureDuringSilentPurchases(stage: Stage): Promise<readonly number[]> {
  const { service } = stage;
  const attacker = createPayer();
  await fundWallet(service.chains.rpcUrls['eip155:8453'] ?? '', attacker.address, 1_000_000n);
  const client = createHttpClient(service.url, takeAddress());
  const path = '/v1/x402-trust';
  const stop = repeatAtRate(SILENT_PURCHASES_PER_SECOND, (index) =>
    attacker.buy(client, { path, body: { resource: toSilentUrl(index) } }),
  );
  await sleep(ATTACK_LEAD_MS);
  const times = await timePurchases(stage);
  await stop();
  client.close();
  return times;
}

/** Measures purchases while one address requests pages of endpoints that do not exist. */
async function measureDuringUnknownSlugs(stage: Stage): Promise<readonly number[]> {
  const client = createHttpClient(stage.service.url, takeAddress(), { keepAlive: true });
  const stop = repeatAtRate(UNKNOWN_SLUGS_PER_SECOND, (index) =>
    client.send({ path: `/endpoint/unknown-${toUnknownId(index)}` }),
  );
  await sleep(ATTACK_LEAD_MS);
  const times = await timePurchases(stage);
  await stop();
  client.close();
  return times;
}

/** Returns the id of an endpoint that does not exist. Ids have ten characters in base 32. */
function toUnknownId(index: number): string {
  const letters = String(index)
    .padStart(6, '0')
    .replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
  return `zzzz${letters}`;
}

/** Prints how many requests of one address are served while the database sometimes does not respond. */
async function countServedRequests({ service }: Stage): Promise<void> {
  const client = createHttpClient(service.url, takeAddress());
  const send = (): Promise<HttpReply> =>
    sendUntilAnswered(client, { method: 'POST', path: HISTORY.path, body: {} });
  const database = findPart(service.pid, 'database');
  if (database === null) throw new Error('the service has no database process');
  const replies: HttpReply[] = [];
  while (replies.length < LIMITED_REQUESTS) {
    process.kill(database, 'SIGSTOP');
    const first = send();
    await sleep(STALL_MS);
    process.kill(database, 'SIGCONT');
    replies.push(await first);
    const batch = Array.from({ length: LIMITED_REQUESTS / 10 }, send);
    replies.push(...(await Promise.all(batch)));
  }
  client.close();
  const served = replies.filter(({ status }) => status !== 429).length;
  console.log(
    `\n${formatNumber(replies.length)} requests of one address with a slow database: ${formatNumber(served)} without a 429 (${countStatuses(replies)})`,
  );
}

async function countVerifications({ service, buyer, record }: Stage): Promise<void> {
  const client = createHttpClient(service.url, takeAddress());
  const payments = await buyer.sign(client, HISTORY, FORGED_PAYMENTS);
  const before = countFacilitatorRequests(record, '/verify');
  const replies: HttpReply[] = [];
  for (const headers of payments.map(forgePayment)) {
    replies.push(await client.send({ method: 'POST', ...HISTORY, headers }));
  }
  client.close();
  const calls = countFacilitatorRequests(record, '/verify') - before;
  console.log(`\n${FORGED_PAYMENTS} bogus payments: ${calls} verifications (${countStatuses(replies)})`);
}

async function measureHeaders({ service }: Stage): Promise<void> {
  const client = createHttpClient(service.url, takeAddress());
  const rows: string[][] = [];
  for (const operation of OPERATIONS.filter(({ priceUsd }) => priceUsd !== null)) {
    const path = toExamplePath(operation);
    const reply = await client.send({ method: 'POST', path, body: operation.requestBody?.example ?? {} });
    const challenge = reply.header('payment-required').length;
    rows.push([path, formatNumber(challenge), formatNumber(reply.headBytes)]);
  }
  client.close();
  console.log('\nHeaders of the challenge, in bytes:');
  printTable([['', 'PAYMENT-REQUIRED', 'all headers'], ...rows]);
}

/** Compares the free JSON documents with a cached page and a static file. The rounds alternate. */
async function measureRates({ service }: Stage): Promise<void> {
  const targets = [
    { name: 'leaderboard, JSON', path: '/trust/leaderboard', accept: 'application/json' },
    { name: 'statistics, JSON', path: '/trust/stats', accept: 'application/json' },
    { name: 'preview, JSON', path: '/v1/x402-trust-preview', accept: 'application/json' },
    { name: 'leaderboard, page', path: '/trust/leaderboard', accept: 'text/html' },
    { name: 'static file', path: `/${STATIC_NAME}`, accept: '*/*' },
  ].map((target) => ({ ...target, rates: [] as number[] }));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { path, accept, rates } of round % 2 === 0 ? targets : targets.toReversed()) {
      const headers = { accept, 'accept-encoding': 'gzip' };
      const options = { path, headers, atOnce: CONNECTIONS, ms: ROUND_MS };
      const rate = await measureRateOfManyClients(service.url, options);
      // The first round warms up the compiler of the JavaScript engine.
      if (round > 0) rates.push(rate);
    }
  }
  console.log('\nRequests per second:');
  printTable([['', 'median'], ...targets.map(({ name, rates }) => [name, formatNumber(median(rates))])]);
}

async function measure(stage: Stage): Promise<void> {
  await measureHeaders(stage);
  await countVerifications(stage);
  await measureRates(stage);
  const quiet = await timePurchases(stage);
  const unknown = await measureDuringUnknownSlugs(stage);
  const silent = await measureDuringSilentPurchases(stage);
  console.log(`\n${PURCHASES} purchases of a history, one after the other:`);
  printTable([
    ['', 'p50 ms', 'p95 ms'],
    formatTimes('quiet', quiet),
    formatTimes(`${UNKNOWN_SLUGS_PER_SECOND} unknown slugs per second`, unknown),
    formatTimes(`${SILENT_PURCHASES_PER_SECOND} purchases per second of URLs that never respond`, silent),
  ]);
  await countServedRequests(stage);
}

const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-bench-attacks-'));
const record = join(dataDir, 'facilitator-requests.log');
// Next reads the list of static files at its start. The file is about as long as the leaderboard.
writeFileSync(
  STATIC_FILE,
  JSON.stringify({ rows: Array.from({ length: 100 }, (_, row) => ({ row, RESOURCE })) }),
);
try {
  const service = await startSandboxService(dataDir, await findFreePort(), createHookVariables(record));
  try {
    await measure({ service, buyer: createPayer(service.demoWalletKey), record });
  } finally {
    await service.stop();
  }
} finally {
  rmSync(STATIC_FILE, { force: true });
  rmSync(dataDir, { recursive: true, force: true });
}
