import { createGuard, fetchKeys, type Decision } from '@touchstone/guard';
import { privateKeyToAccount } from 'viem/accounts';
import { createPayingFetch } from '../apps/web-e2e/support/payment/guarded-buyer.ts';
import { openSandboxNetwork } from '../apps/web-e2e/support/sandbox-network.ts';
import { formatNumber, measureRounds, printTable, quantile, time } from './support/figures.ts';
import { runWithSandbox, type SandboxService } from './support/sandbox-service.ts';

/**
 * Measures the latency that the guard adds to a payment. A statement is the signed summary of an endpoint that the
 * guard looks up. The two cases are: the guard looks up the statement, and the guard has a cached statement. The
 * comparison is a GET request of the same summary with the same `fetch`. The three measurements alternate in each round.
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
  // The first payment gives a real decision. The benchmark creates its requests from this decision.
  await createPayingFetch(account, create().wrapFetch(network.fetch))(RESOURCE);
  const [decision] = decisions;
  if (decision === undefined) throw new Error('The guard made no decision.');
  const { payment, summary } = decision;
  if (summary === null) throw new Error('The service returned no summary.');
  const warm = create();
  const getSummary = createSummaryRequest(url, summary.requested);
  const measures = {
    'GET of the summary': () => time(getSummary),
    'check with the first lookup': () => time(async () => requirePay(await create().check(payment))),
    'check with a cached statement': () => time(async () => requirePay(await warm.check(payment))),
  };
  const subjects = Object.entries(measures).map(([name, measure]) => ({ name, measure }));
  const times = await measureRounds(subjects, { warmUp: WARM_UP_ROUNDS, measured: MEASURED_ROUNDS });
  printTable([
    ['', 'p50 ms', 'p95 ms'],
    ...[...times].map(([name, ms]) => [
      name,
      ...[0.5, 0.95].map((share) => formatNumber(quantile(ms, share), 3)),
    ]),
  ]);
}

await runWithSandbox('guard', measureAll);
