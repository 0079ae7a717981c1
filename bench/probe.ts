import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatNumber, measureRounds, median, printTable, quantile } from './support/figures.ts';
import { readPeakMegabytes, sendOrder, startHelper, stopProcess } from './support/processes.ts';
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
 * a worker runs for days with compiled code. The cost of the first probes is printed separately.
 */
const WARM_UP_CHECKS = 20_000;
const IN_FLIGHT = 32;
const TARGET_COUNT = 8;

interface Bench {
  readonly ports: readonly number[];
  readonly authority: string;
  readonly worker: ChildProcess;
  readonly blackbox: Blackbox;
}

function buildUrls({ ports }: Bench, path = '/paid'): string[] {
  return ports.map((port) => `https://localhost:${port}${path}`);
}

function toProbesPerCpuSecond(run: ProbeRun): number {
  if (run.failed > 0)
    throw new Error(`${run.failed} of ${run.probes} probes received no challenge, so the run is invalid`);
  return run.probes / run.cpuSeconds;
}

async function measureCost(bench: Bench): Promise<void> {
  const { worker, blackbox, authority } = bench;
  const order = { urls: buildUrls(bench), seconds: SECONDS_PER_RUN, inFlight: IN_FLIGHT };
  const ours = (checkCompliance: boolean, seconds = SECONDS_PER_RUN): Promise<ProbeRun> =>
    sendOrder(worker, { ...order, checkCompliance, seconds } satisfies ProbeOrder);
  const cold = toProbesPerCpuSecond(await ours(true, 2));
  await sendOrder<ProbeRun>(worker, {
    ...order,
    checkCompliance: true,
    seconds: SECONDS_PER_RUN,
    warmUpChecks: WARM_UP_CHECKS,
  } satisfies ProbeOrder);
  await blackbox.run(order);

  console.log(`First two seconds of a worker: ${formatNumber(cold)} checked probes per CPU second.`);
  console.log(`All further figures: after ${formatNumber(WARM_UP_CHECKS)} compliance checks.`);
  console.log(`Probes per CPU second, ${TARGET_COUNT} targets, ${IN_FLIGHT} in flight:`);
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
  const at = (name: keyof typeof subjects, round: number): number => rates.get(name)?.[round] ?? Number.NaN;
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const [checked, peer] = [at('checked', round), at('peer', round)];
    return [checked, at('fetched', round), peer, checked / peer, at('limit', round)];
  });
  const line = (name: string, row: readonly number[]): string[] => [
    name,
    ...row.map((value, column) => formatNumber(value, column === 3 ? 2 : 0)),
  ];
  printTable([
    ['', 'ours, checked', 'ours, fetch only', 'blackbox', 'checked/blackbox', 'openssl handshakes'],
    ...rounds.map((row, index) => line(`round ${index + 1}`, row)),
    line(
      'median',
      [0, 1, 2, 3, 4].map((column) => median(rounds.map((row) => row[column] ?? Number.NaN))),
    ),
  ]);
  console.log(
    `Peak memory: ours ${formatNumber(readPeakMegabytes(worker.pid))} MB, blackbox ${formatNumber(readPeakMegabytes(blackbox.process.pid))} MB\n`,
  );
}

async function measureLatency(bench: Bench, waitMs: number): Promise<void> {
  console.log(
    `Reported latency minus the server's own time; the server responds ${waitMs === 0 ? 'immediately' : `after ${waitMs} ms`}:`,
  );
  const rows = [['in flight', 'probes/s', 'p50 ms', 'p99 ms', 'prober CPU']];
  for (const inFlight of [1, 16, 48, 64, 256]) {
    const order = {
      urls: buildUrls(bench, waitMs === 0 ? '/paid' : `/wait/${waitMs}`),
      inFlight,
      checkCompliance: true,
    };
    await sendOrder<ProbeRun>(bench.worker, { ...order, seconds: 1 } satisfies ProbeOrder);
    const run = await sendOrder<ProbeRun>(bench.worker, { ...order, seconds: 3 } satisfies ProbeOrder);
    toProbesPerCpuSecond(run);
    rows.push([
      String(inFlight),
      formatNumber(run.probes / run.wallSeconds),
      formatNumber(quantile(run.addedMs, 0.5), 1),
      formatNumber(quantile(run.addedMs, 0.99), 1),
      `${formatNumber((100 * run.cpuSeconds) / run.wallSeconds)} %`,
    ]);
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
    const worker = startHelper(PROCESSES, ['worker', authority]);
    started.push(worker);
    const blackbox = await startBlackbox(folder, authority);
    started.push(blackbox.process);
    const bench = { ports, authority, worker, blackbox };
    await measureCost(bench);
    await measureLatency(bench, 0);
    await measureLatency(bench, 250);
  } finally {
    await Promise.all(started.map(stopProcess));
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
