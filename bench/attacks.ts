import { setTimeout as sleep } from 'node:timers/promises';
import { countTransfersFrom } from '../apps/web-e2e/support/payment/chain.ts';
import { createHttpClient } from '../apps/web-e2e/support/attacks/http-client.ts';
import { createPayer } from '../apps/web-e2e/support/attacks/payer.ts';
import { ATTACKS, type FloodCounts } from './support/flood.ts';
import { formatNumber, printTable, quantile } from './support/figures.ts';
import { sendOrder, startHelper, stopProcess } from './support/processes.ts';
import { runWithSandbox, type SandboxService } from './support/sandbox-service.ts';

/**
 * Measures the purchases of an honest buyer while free attacks run beside them, on the embedded database. Each attack
 * runs in a process of its own. A purchase is a challenge, a signature and a paid request. Its latency is compared with
 * the median without an attack in the same run. At the end, the transfers on the chain are compared with the purchases
 * that the buyer received. Run the benchmark with `npm run bench:attacks`. It takes a few minutes.
 */
const MEASURED_MS = 15_000;
/** Time of an attack before the first measured purchase, in milliseconds. */
const START_MS = 2_000;
/** Pause between two purchases, in milliseconds. */
const PAUSE_MS = 200;
const PURCHASE = {
  path: '/v1/x402-history',
  body: { resource: 'https://profilehub.sandbox.test/v1/users/{userId}' },
};

interface Figures {
  readonly name: string;
  readonly ms: readonly number[];
  readonly failures: readonly string[];
  readonly flood: FloodCounts | null;
}

async function measureAttack(
  name: string | null,
  service: SandboxService,
  buy: () => Promise<number>,
): Promise<Figures> {
  const flood =
    name === null ? null : startHelper(new URL('support/flood.ts', import.meta.url), [service.url, name]);
  const ms: number[] = [];
  const failures: string[] = [];
  await sleep(START_MS);
  for (const end = performance.now() + MEASURED_MS; performance.now() < end;) {
    const startedAt = performance.now();
    const status = await buy().catch((error: unknown) => String(error));
    if (status === 200) ms.push(performance.now() - startedAt);
    else failures.push(String(status));
    await sleep(PAUSE_MS);
  }
  const counts = flood === null ? null : await sendOrder<FloodCounts>(flood, { kind: 'count' });
  if (flood !== null) await stopProcess(flood);
  return { name: name ?? 'no attack', ms, failures, flood: counts };
}

function formatFlood(flood: FloodCounts | null): string {
  if (flood === null) return '';
  return Object.entries(flood)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');
}

async function measureAll(service: SandboxService): Promise<void> {
  const buyer = createPayer(service.demoWalletKey);
  const before = await countTransfersFrom(buyer.address, service.dataDir);
  let bought = 0;
  const client = createHttpClient(service.url, '127.0.0.9');
  const buy = async (): Promise<number> => {
    const { status } = await buyer.buy(client, PURCHASE);
    if (status === 200) bought += 1;
    return status;
  };
  await measureAttack(null, service, buy);
  const rows: Figures[] = [];
  for (const name of [null, ...Object.keys(ATTACKS)]) rows.push(await measureAttack(name, service, buy));
  const quiet = quantile(rows[0]?.ms ?? [], 0.5);
  printTable([
    [
      '',
      'purchases',
      'failed',
      'p50 ms',
      'worst ms',
      'p50 to quiet',
      'worst to quiet',
      'responses to the attack',
    ],
    ...rows.map(({ name, ms, failures, flood }) => [
      name,
      String(ms.length),
      failures.length === 0 ? '0' : `${failures.length} (${[...new Set(failures)].join(', ')})`,
      ...[0.5, 1].map((share) => formatNumber(quantile(ms, share))),
      ...[0.5, 1].map((share) => formatNumber(quantile(ms, share) / quiet, 1)),
      formatFlood(flood),
    ]),
  ]);
  const transfers = (await countTransfersFrom(buyer.address, service.dataDir)) - before;
  const isRight = transfers === bought;
  console.log(
    `  ${bought} purchases received, ${transfers} transfers: ${isRight ? 'each charged once' : 'MISMATCH'}`,
  );
  if (!isRight) process.exitCode = 1;
}

await runWithSandbox('attacks', measureAll, { TRUSTED_PROXIES: '1' });
