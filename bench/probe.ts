import { execFileSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatNumber, measureRounds, median, printTable, quantile } from './support/figures.ts';
import { readMegabytes, sendOrder, startHelper, stopProcess } from './support/processes.ts';
import {
  createIdentity,
  measureHandshakesPerCpuSecond,
  startBlackbox,
  type Blackbox,
} from './support/probe-peers.ts';
import type { ProbeOrder, ProbeRun } from './support/probe-processes.ts';

const PROCESSES = new URL('./support/probe-processes.ts', import.meta.url);

/**
 * Measures the CPU time of a probe, and the latency that our prober adds to the latency it reports. Run it with `npm
 * run bench:probe`. It takes two minutes and needs Linux, `openssl` and Debian's `prometheus-blackbox-exporter`.
 *
 * The comparison is blackbox_exporter. Both programs probe the same servers in alternating runs, with a full TLS 1.3
 * handshake per probe. CPU time is counted per process, because servers and probers share the machine. For each probe,
 * blackbox_exporter handles an HTTP request and renders metrics, because it has no other mode. Our prober also checks
 * the challenge by all compliance rules, which blackbox_exporter cannot do.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4);
const SECONDS_PER_RUN = 4;
/**
 * Number of compliance checks before the measurement starts. They let the JIT compiler compile the code first, because
 * a worker runs for days with compiled code.
 */
const WARM_UP_CHECKS = 20_000;
const IN_FLIGHT = 32;
const TARGET_COUNT = 8;
/** Time until the server responds in the measurement of the latency, in milliseconds. */
const WAIT_MS = 250;

/**
 * Settings of a process that only probes. They limit its memory: the young generation has 12 MB, the C library keeps
 * free memory in two pools, and Node loads compiled code instead of the TypeScript compiler.
 */
const WORKER_SETTINGS = {
  NODE_OPTIONS: '--max-semi-space-size=4',
  MALLOC_ARENA_MAX: '2',
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)),
};

/** Starts a process that probes. Another process loads the same code first, which fills the cache of compiled code. */
function startWorker(authority: string): ChildProcess {
  execFileSync(process.execPath, [fileURLToPath(PROCESSES), 'load'], {
    env: { ...process.env, ...WORKER_SETTINGS },
  });
  return startHelper(PROCESSES, ['worker', authority], WORKER_SETTINGS);
}

interface Bench {
  readonly ports: readonly number[];
  readonly authority: string;
  readonly worker: ChildProcess;
  readonly blackbox: Blackbox;
}

function buildUrls({ ports }: Bench, path: string): string[] {
  return ports.map((port) => `https://localhost:${port}${path}`);
}

function requireChallenges({ failed, probes }: ProbeRun): void {
  if (failed > 0)
    throw new Error(`${failed} of ${probes} probes received no challenge, so the run is invalid`);
}

function toProbesPerCpuSecond(run: ProbeRun): number {
  requireChallenges(run);
  return run.probes / run.cpuSeconds;
}

async function measureCost(bench: Bench): Promise<void> {
  const { worker, blackbox, authority } = bench;
  const order = { urls: buildUrls(bench, '/paid'), seconds: SECONDS_PER_RUN, inFlight: IN_FLIGHT };
  const ours = (checkCompliance: boolean): Promise<ProbeRun> =>
    sendOrder(worker, { ...order, checkCompliance } satisfies ProbeOrder);
  await sendOrder<ProbeRun>(worker, {
    ...order,
    checkCompliance: true,
    warmUpChecks: WARM_UP_CHECKS,
  } satisfies ProbeOrder);
  await blackbox.run(order);

  console.log(
    `Probes per CPU second, medians of ${ROUNDS} rounds, ${TARGET_COUNT} targets, ${IN_FLIGHT} in flight:`,
  );
  const subjects = {
    peer: async () => toProbesPerCpuSecond(await blackbox.run(order)),
    checked: async () => toProbesPerCpuSecond(await ours(true)),
    fetched: async () => toProbesPerCpuSecond(await ours(false)),
    limit: async () => Promise.resolve(measureHandshakesPerCpuSecond(bench.ports[0] ?? 0, authority, 2)),
  };
  const rates = await measureRounds(
    Object.entries(subjects).map(([name, measure]) => ({ name, measure })),
    { warmUp: 0, measured: ROUNDS },
  );
  const find = (name: keyof typeof subjects): readonly number[] => rates.get(name) ?? [];
  const ratios = find('checked').map((rate, round) => rate / (find('peer')[round] ?? Number.NaN));
  const names = ['checked', 'fetched', 'peer', 'limit'] as const;
  printTable([
    ['ours, checked', 'ours, fetch only', 'blackbox', 'openssl handshakes', 'checked/blackbox'],
    [...names.map((name) => formatNumber(median(find(name)))), formatNumber(median(ratios), 2)],
  ]);
  console.log(
    `Peak memory: ours ${formatNumber(readMegabytes(worker.pid, 'VmHWM'))} MB, blackbox ${formatNumber(readMegabytes(blackbox.process.pid, 'VmHWM'))} MB\n`,
  );
}

async function measureLatency(bench: Bench): Promise<void> {
  console.log(`Reported latency minus the server's own time; the server responds after ${WAIT_MS} ms:`);
  const rows = [['in flight', 'p50 ms']];
  for (const inFlight of [1, 16, 48, 256]) {
    const order = { urls: buildUrls(bench, `/wait/${WAIT_MS}`), inFlight, checkCompliance: true };
    await sendOrder<ProbeRun>(bench.worker, { ...order, seconds: 1 } satisfies ProbeOrder);
    const run = await sendOrder<ProbeRun>(bench.worker, { ...order, seconds: 3 } satisfies ProbeOrder);
    requireChallenges(run);
    rows.push([String(inFlight), formatNumber(quantile(run.addedMs, 0.5), 1)]);
  }
  printTable(rows);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const started: ChildProcess[] = [];
  try {
    const authority = createIdentity(folder);
    const servers = startHelper(PROCESSES, ['servers', folder, String(TARGET_COUNT)]);
    started.push(servers);
    const ports = await sendOrder<readonly number[]>(servers, {});
    const worker = startWorker(authority);
    started.push(worker);
    const blackbox = await startBlackbox(folder, authority);
    started.push(blackbox.process);
    const bench = { ports, authority, worker, blackbox };
    await measureCost(bench);
    await measureLatency(bench);
  } finally {
    await Promise.all(started.map(stopProcess));
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
