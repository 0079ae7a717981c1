import { createGuard, decide, fetchKeys, toPolicy, type Decision, type Guard } from '@touchstone/guard';
import { privateKeyToAccount } from 'viem/accounts';
import { createPayingFetch } from '../apps/web-e2e/support/payment/guarded-buyer.ts';
import { openSandboxNetwork } from '../apps/web-e2e/support/sandbox-network.ts';
import { formatNumber, measureRounds, printTable, quantile, time, type Subject } from './support/figures.ts';
import { runWithSandbox, type SandboxService } from './support/sandbox-service.ts';

/**
 * Measures the latency that the guard adds to a payment: with its first lookup, with a cached statement, and for the
 * decision alone.
 *
 * The figures are compared with three requests: a GET request for the same summary with the same `fetch`, the same paid
 * request without the guard, and such a paid request after such a GET request. A paid request consists of the
 * challenge, the signature, and the settlement on the local chain. Requests alternate within each round. Run the
 * benchmark with `npm run bench:guard`. It takes a few minutes.
 */
const RESOURCE = 'https://fxline.sandbox.test/v1/rates/latest';
const WARM_UP_ROUNDS = 10;
const MEASURED_ROUNDS = 100;
/** Number of decisions per round. A single decision is too short to be measured. */
const DECISIONS = 1_000;
/**
 * Timeout of a lookup, in milliseconds. It is long, because a lookup that times out on a busy machine would end the
 * benchmark.
 */
const TIMEOUT_MS = 20_000;

interface ComparedSubject extends Subject {
  /** Name of the subject to which this subject is compared; null without a comparison. */
  readonly peer: string | null;
}

async function compareSubjects(subjects: readonly ComparedSubject[]): Promise<void> {
  const times = await measureRounds(subjects, { warmUp: WARM_UP_ROUNDS, measured: MEASURED_ROUNDS });
  const find = (name: string, share: number): number => quantile(times.get(name) ?? [], share);
  printTable([
    ['', 'p50 ms', 'p95 ms', 'p50 ratio', 'compared to'],
    ...subjects.map(({ name, peer }) => [
      name,
      formatNumber(find(name, 0.5), 3),
      formatNumber(find(name, 0.95), 3),
      peer === null ? '' : formatNumber(find(name, 0.5) / find(peer, 0.5), 4),
      peer ?? '',
    ]),
  ]);
}

interface Setup {
  /** Requests the summary that the guard requests, without verifying it. */
  readonly getSummary: () => Promise<unknown>;
  /** Creates a guard without any cached statement. */
  readonly createGuard: () => Guard;
  /** Decision on the payment that is measured. */
  readonly decision: Decision;
  /** Fetches, pays and returns the response. */
  readonly pay: (guard: Guard | null) => Promise<Response>;
}

function requirePay(decision: Decision): void {
  if (decision.action === 'abort') throw new Error(`The guard refused: ${JSON.stringify(decision.reasons)}`);
}

/** Returns a function that requests the summary on a payment with the global `fetch`, as the guard does. */
function createSummaryRequest(service: string, { summary }: Decision): Setup['getSummary'] {
  if (summary === null) throw new Error('The service returned no summary.');
  const { resource, payTo, network } = summary.requested;
  const url = `${service}/v1/x402-summary?${new URLSearchParams({ resource, payTo, network }).toString()}`;
  return async () => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
    return response.json();
  };
}

function createLookupSubjects({ getSummary, createGuard, decision }: Setup): readonly ComparedSubject[] {
  const { payment, summary } = decision;
  if (summary === null) throw new Error('The service returned no summary.');
  const warm = createGuard();
  const policy = toPolicy();
  const lookup = { summary, source: 'summary' } as const;
  return [
    { name: 'GET of the summary', peer: null, measure: () => time(getSummary) },
    {
      name: 'check with the first lookup',
      peer: 'GET of the summary',
      measure: () => time(async () => requirePay(await createGuard().check(payment))),
    },
    {
      name: 'check with a cached statement',
      peer: 'GET of the summary',
      measure: () => time(async () => requirePay(await warm.check(payment))),
    },
    {
      name: 'decision alone',
      peer: 'GET of the summary',
      measure: async () => {
        const startedAt = performance.now();
        for (let count = 0; count < DECISIONS; count += 1)
          decide({ payment, lookup, policy, now: Date.now() });
        return Promise.resolve((performance.now() - startedAt) / DECISIONS);
      },
    },
  ];
}

function createPaymentSubjects({ getSummary, createGuard, pay }: Setup): readonly ComparedSubject[] {
  const buy = async (guard: Guard | null) => {
    const response = await pay(guard);
    if (!response.ok) throw new Error(`The endpoint responded with ${response.status}.`);
    await response.arrayBuffer();
  };
  const warm = createGuard();
  const peer = 'paid request without guard';
  return [
    { name: peer, peer: null, measure: () => time(() => buy(null)) },
    {
      name: 'GET of the summary, then the same',
      peer,
      measure: () =>
        time(async () => {
          await getSummary();
          await buy(null);
        }),
    },
    { name: 'paid request, first lookup', peer, measure: () => time(() => buy(createGuard())) },
    { name: 'paid request, cached statement', peer, measure: () => time(() => buy(warm)) },
  ];
}

async function measureAll({ url, dataDir, demoWalletKey }: SandboxService): Promise<void> {
  const keys = await fetchKeys(url);
  const network = await openSandboxNetwork(dataDir);
  const account = privateKeyToAccount(demoWalletKey);
  const decisions: Decision[] = [];
  const create = () =>
    createGuard({
      ...{ service: url, keys, timeoutMs: TIMEOUT_MS },
      onDecision: (decision) => void decisions.push(decision),
    });
  const pay = (guard: Guard | null): Promise<Response> =>
    createPayingFetch(account, guard?.wrapFetch(network.fetch) ?? network.fetch)(RESOURCE);
  await pay(create());
  const [decision] = decisions;
  if (decision === undefined) throw new Error('The guard made no decision.');
  const getSummary = createSummaryRequest(url, decision);
  const setup = { getSummary, createGuard: create, decision, pay };
  await compareSubjects(createLookupSubjects(setup));
  await compareSubjects(createPaymentSubjects(setup));
}

await runWithSandbox('guard', measureAll);
