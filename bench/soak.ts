import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpClient, type HttpRequest } from '../apps/web-e2e/support/attacks/http-client.ts';
import { createPayer, type Payer, type Purchase } from '../apps/web-e2e/support/attacks/payer.ts';
import { listServiceProcesses, type ServiceProcess } from './support/attacks/process-tree.ts';
import { countStatuses, repeatAtRate, takeAddress } from './support/attacks/rates.ts';
import { findFreePort } from './support/processes.ts';
import { startSandboxService, type SandboxService } from './support/sandbox-service.ts';
import { compareBooks } from './support/soak/books.ts';
import { findGrowth, printMemory, sampleMemory, type MemorySample } from './support/soak/memory.ts';
import { completePurchase, isOpen, signPurchase, type SignedPurchase } from './support/soak/purchases.ts';
import { createRandom, pick, type Random } from './support/soak/random.ts';

/**
 * Runs a service with its sandbox under moderate load, and kills a random part of it every minute with SIGKILL. Buyers
 * repeat their requests until they have a response. At the end, each response is compared with the chain and with the
 * payments table: a served purchase has one transfer and one settled row, and another purchase has none. The memory of
 * each part must stay flat.
 *
 * Run `npm run build` first, then `npm run bench:soak`. `SOAK_MINUTES` sets the duration, 30 minutes by default, and
 * `SOAK_SEED` repeats the choices of an earlier run. The exit code is 1 after a mismatch.
 */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 30);
const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);
const MINUTE_MS = 60_000;
/** Maximum time until all parts run again after the last kill, in milliseconds. */
const RECOVERY_MS = 90_000;
const PURCHASES_PER_SECOND = 1;
const READS_PER_SECOND = 6;
const KILLED_PARTS: readonly ServiceProcess['part'][] = ['database', 'site', 'sandbox', 'chain', 'embedder'];
const RESOURCES = [
  'https://fxline.sandbox.test/v1/rates/latest',
  'https://mintcheck.sandbox.test/v1/nft/rarity',
  'https://profilehub.sandbox.test/v1/users/{userId}',
] as const;
const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const READS: readonly HttpRequest[] = [
  { path: '/' },
  { path: '/trust/leaderboard', headers: { accept: 'text/html' } },
  { path: '/trust/stats' },
  { path: '/explore?q=exchange+rates' },
  { path: '/events' },
  { path: `/v1/x402-summary?resource=${encodeURIComponent(RESOURCES[0])}` },
  {
    ...{ method: 'POST', path: '/mcp', body: LIST_TOOLS },
    headers: { accept: 'application/json, text/event-stream' },
  },
];

function choosePurchase(random: Random): Purchase {
  const path = pick(random, ['/v1/x402-trust', '/v1/x402-history']);
  return { path, body: { resource: pick(random, RESOURCES) } };
}

/** Buys at a constant rate. The returned function stops new purchases and waits for the running ones. */
function startBuyers(service: SandboxService, payer: Payer, random: Random) {
  const client = createHttpClient(service.url, takeAddress());
  const purchases: SignedPurchase[] = [];
  const stop = repeatAtRate(PURCHASES_PER_SECOND, async () => {
    const signed = await signPurchase(client, payer, choosePurchase(random));
    if (signed === null) return;
    purchases.push(signed);
    await completePurchase(client, signed);
  });
  const finish = async (): Promise<void> => {
    await stop();
    // A payment is valid for some minutes, but the result of a charged one is stored for a day.
    for (const signed of purchases.filter(isOpen)) await completePurchase(client, signed);
    client.close();
  };
  return { purchases, finish };
}

/** Requests pages, searches, documents and MCP calls at a constant rate. */
function startReaders(service: SandboxService, random: Random) {
  const client = createHttpClient(service.url, takeAddress());
  const replies: { readonly status: number }[] = [];
  const stop = repeatAtRate(READS_PER_SECOND, async () => {
    const signal = AbortSignal.timeout(30_000);
    const { status } = await client
      .send({ ...pick(random, READS), signal })
      // The status 0 stands for a request without a response.
      .catch(() => ({ status: 0 }));
    replies.push({ status });
  });
  return {
    replies,
    finish: async () => {
      await stop();
      client.close();
    },
  };
}

/** Kills a random part of the service and prints its name. */
function killPart(service: SandboxService, random: Random, minute: number): void {
  const part = pick(random, KILLED_PARTS);
  const processes = listServiceProcesses(service.pid).filter((each) => each.part === part);
  if (processes.length === 0) {
    console.log(`  minute ${minute}: ${part} does not run`);
    return;
  }
  const { pid } = pick(random, processes);
  console.log(`  minute ${minute}: ${part} is killed (process ${pid})`);
  process.kill(pid, 'SIGKILL');
}

/** Waits until every part runs and the site responds. */
async function waitForRecovery(service: SandboxService): Promise<void> {
  const deadline = performance.now() + RECOVERY_MS;
  for (;;) {
    const parts = new Set(listServiceProcesses(service.pid).map(({ part }) => part));
    const isComplete = KILLED_PARTS.every((part) => parts.has(part));
    const health = await fetch(`${service.url}/api/health`).catch(() => null);
    if (isComplete && health?.ok === true) return;
    if (performance.now() > deadline) throw new Error('a part of the service did not start again');
    await sleep(1_000);
  }
}

async function soak(service: SandboxService, dataDir: string): Promise<readonly string[]> {
  const random = createRandom(SEED);
  // A restarted chain repeats its transactions. The demo wallet got its USDC in one of them, and still has it afterwards.
  const payer = createPayer(service.demoWalletKey);
  const buyers = startBuyers(service, payer, createRandom(SEED + 1));
  const readers = startReaders(service, createRandom(SEED + 2));
  const samples: MemorySample[] = [sampleMemory(service.pid)];
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    await sleep(MINUTE_MS / 2);
    killPart(service, random, minute);
    await sleep(MINUTE_MS / 2);
    samples.push(sampleMemory(service.pid));
  }
  await readers.finish();
  await waitForRecovery(service);
  await buyers.finish();
  printMemory(samples);
  console.log(`\nReads: ${countStatuses(readers.replies)}; 0 is a request without a response`);
  const { purchases } = buyers;
  const mismatches = await compareBooks(service, dataDir, { payer: payer.address, purchases });
  return [...mismatches, ...findGrowth(samples)];
}

const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-soak-'));
try {
  console.log(`${MINUTES} minutes with the seed ${SEED}; repeat with SOAK_SEED=${SEED}`);
  const service = await startSandboxService(dataDir, await findFreePort());
  let problems: readonly string[];
  try {
    problems = await soak(service, dataDir);
  } finally {
    await service.stop();
  }
  for (const problem of problems) console.log(`  MISMATCH: ${problem}`);
  console.log(problems.length === 0 ? '\nThe books agree and the memory is flat.' : '\nThe soak failed.');
  if (problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
