import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGuard, fetchKeys, type Decision, type Guard, type GuardOptions } from '@touchstone/guard';
import { createFileJournal } from '@touchstone/guard/file';
import { privateKeyToAccount } from 'viem/accounts';
import { createPayingFetch } from '../apps/web-e2e/support/payment/guarded-buyer.ts';
import { openSandboxNetwork } from '../apps/web-e2e/support/sandbox-network.ts';
import { formatNumber, measureRounds, printTable, quantile, time } from './support/figures.ts';
import { runWithSandbox, type SandboxService } from './support/sandbox-service.ts';

/**
 * Measures the latency that the guard adds to a payment. A statement is the signed summary of an endpoint that the
 * guard looks up, by its URL or by the range of its host. `check` decides on the terms. `authorize` also decides on a
 * signed payment and writes it to the journal, which a file journal does durably. The comparison is a GET request of the
 * summary with the same `fetch`; the last column is the ratio of the medians. The measurements alternate in each round.
 * Run the benchmark with `npm run bench:guard`. It takes a few minutes.
 */
const RESOURCE = 'https://fxline.sandbox.test/v1/rates/latest';
const WARM_UP_ROUNDS = 10;
const MEASURED_ROUNDS = 100;
/**
 * Timeout of a lookup, in milliseconds. It is long, because a lookup that times out on a busy machine would end the
 * benchmark.
 */
const TIMEOUT_MS = 20_000;

function requirePay(decision: Decision): void {
  if (decision.action === 'abort') throw new Error(`The guard refused: ${JSON.stringify(decision.reasons)}`);
}

/** Returns a function that requests the summary of a payment with the global `fetch`, as the guard does. */
function createSummaryRequest(
  service: string,
  { resource, payTo, network }: NonNullable<Decision['summary']>['requested'],
): () => Promise<unknown> {
  const url = `${service}/v1/x402-summary?${new URLSearchParams({ resource, payTo, network }).toString()}`;
  return async () => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
    return response.json();
  };
}

/** Returns a `fetch` function that keeps the payments that it sends. */
function recordPayments(send: typeof fetch): { readonly fetch: typeof fetch; readonly payments: string[] } {
  const payments: string[] = [];
  return {
    payments,
    fetch: (input, init) => {
      const payment = new Request(input, init).headers.get('payment-signature');
      if (payment !== null) payments.push(payment);
      return send(input, init);
    },
  };
}

/** Returns a `fetch` function whose requests come from a client of their own, for operations with a low rate limit. */
function createClientFetch(client: number): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-for', `198.51.100.${client % 250}`);
    return fetch(input, { ...init, headers });
  };
}

/** Returns a function that authorizes a payment of a request that was not made before. */
function createAuthorization(guard: Guard, url: string, payment: string): () => Promise<void> {
  let requests = 0;
  return async () => {
    requests += 1;
    requirePay(
      (await guard.authorize({ url: `${url}?request=${requests}`, method: 'GET', payment })).decision,
    );
  };
}

async function measureAll({ url, dataDir, demoWalletKey }: SandboxService): Promise<void> {
  const keys = await fetchKeys(url);
  const network = await openSandboxNetwork(dataDir);
  const account = privateKeyToAccount(demoWalletKey);
  const decisions: Decision[] = [];
  const create = (options: Partial<GuardOptions> = {}) =>
    createGuard({
      ...{ service: url, keys, timeoutMs: TIMEOUT_MS, trace: false },
      onDecision: (decision) => void decisions.push(decision),
      ...options,
    });
  // The first payment gives a real decision and a signed payment. The benchmark creates its requests from both.
  const sent = recordPayments(network.fetch);
  await createPayingFetch(account, create().wrapFetch(sent.fetch))(RESOURCE);
  const [[decision], [signed]] = [decisions, sent.payments];
  if (decision === undefined || signed === undefined) throw new Error('The guard allowed no payment.');
  const { payment, summary } = decision;
  if (summary === null) throw new Error('The service returned no summary.');
  const folder = mkdtempSync(join(tmpdir(), 'bench-guard-'));
  const check = (guard: Guard) => time(async () => requirePay(await guard.check(payment)));
  const authorize = (options?: Partial<GuardOptions>) =>
    createAuthorization(create(options), RESOURCE, signed);
  const file = () => createFileJournal(join(folder, 'payments.jsonl'));
  const [warm, warmRange] = [create(), create({ lookups: 'range' })];
  const [inMemory, inFile] = [authorize(), authorize({ journal: file() })];
  let clients = 0;
  const createRange = () => create({ lookups: 'range', fetch: createClientFetch((clients += 1)) });
  const getSummary = createSummaryRequest(url, summary.requested);
  const measures = {
    'GET of the summary': () => time(getSummary),
    'check with the first lookup': () => check(create()),
    'check with a cached statement': () => check(warm),
    'check with the first lookup of a range': () => check(createRange()),
    'check with a cached range': () => check(warmRange),
    'authorize with the first lookup, journal in memory': () => time(authorize()),
    'authorize with a cached statement, journal in memory': () => time(inMemory),
    'authorize with a cached statement, journal in a file': () => time(inFile),
  };
  const subjects = Object.entries(measures).map(([name, measure]) => ({ name, measure }));
  const times = await measureRounds(subjects, { warmUp: WARM_UP_ROUNDS, measured: MEASURED_ROUNDS });
  rmSync(folder, { recursive: true });
  const base = quantile(times.get('GET of the summary') ?? [], 0.5);
  printTable([
    ['', 'p50 ms', 'p95 ms', 'ratio'],
    ...[...times].map(([name, ms]) => [
      name,
      ...[0.5, 0.95].map((share) => formatNumber(quantile(ms, share), 3)),
      formatNumber(quantile(ms, 0.5) / base, 3),
    ]),
  ]);
}

await runWithSandbox('guard', measureAll, { TRUSTED_PROXIES: '1' });
