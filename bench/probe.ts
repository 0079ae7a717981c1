import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBlackbox, type Blackbox } from './support/blackbox.ts';
import { median, printTable, quantile, round } from './support/figures.ts';
import { ask, peakMegabytes, startHelper, stopProcess } from './support/processes.ts';
import type { ProbeOrder, ProbeRun } from './support/probe-worker.ts';
import { createIdentity, handshakesPerCpuSecond } from './support/tls-identity.ts';

/**
 * What a probe costs, and what it adds to what it measures. Run it with `npm run bench:probe`; it takes two
 * minutes and needs Linux, `openssl` and Debian's `prometheus-blackbox-exporter`.
 *
 * The peer probes the same servers in the same run, in turns with ours, over TLS 1.3 with a full handshake each. Both
 * are counted by the processor time of their own process, because targets and clients share the machine. The peer is
 * asked over HTTP and renders its metrics for each probe, which is the only way it is used; ours judges the challenge
 * by all rules, which the peer cannot.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4);
const SECONDS = 4;
/**
 * Judgements that a worker makes before anything counts: it runs for days, and its code is compiled while it runs. What
 * the first probes cost is printed on its own.
 */
const WARM_UP_JUDGEMENTS = 20_000;
const IN_FLIGHT = 32;
const TARGETS = 8;

interface Bench {
  readonly ports: readonly number[];
  readonly authority: string;
  readonly worker: ChildProcess;
  readonly blackbox: Blackbox;
}

function urlsOf({ ports }: Bench, path = '/paid'): string[] {
  return ports.map((port) => `https://localhost:${port}${path}`);
}

function perCpuSecond(run: ProbeRun): number {
  if (run.failed > 0)
    throw new Error(`${run.failed} of ${run.probes} probes saw no challenge: the figure would mean nothing`);
  return run.probes / run.cpuSeconds;
}

async function measureCost(bench: Bench): Promise<void> {
  const { worker, blackbox, authority } = bench;
  const order = { urls: urlsOf(bench), seconds: SECONDS, inFlight: IN_FLIGHT };
  const ours = (judge: boolean, seconds = SECONDS): Promise<ProbeRun> =>
    ask(worker, { ...order, judge, seconds } satisfies ProbeOrder);
  const cold = perCpuSecond(await ours(true, 2));
  await ask<ProbeRun>(worker, {
    ...order,
    judge: true,
    seconds: SECONDS,
    judgeAgain: WARM_UP_JUDGEMENTS,
  } satisfies ProbeOrder);
  await blackbox.run(order);

  console.log(`A worker's first two seconds: ${round(cold)} judged probes per processor second.`);
  console.log(`What follows is after ${round(WARM_UP_JUDGEMENTS)} judgements.`);
  console.log(`Probes per processor second, ${TARGETS} targets, ${IN_FLIGHT} in flight:`);
  const figures: number[][] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const peer = perCpuSecond(await blackbox.run(order));
    const judged = perCpuSecond(await ours(true));
    const fetched = perCpuSecond(await ours(false));
    const limit = handshakesPerCpuSecond(bench.ports[0] ?? 0, authority, 2);
    figures.push([judged, fetched, peer, judged / peer, limit]);
  }
  const line = (name: string, row: readonly number[]): string[] => [
    name,
    ...row.map((value, column) => round(value, column === 3 ? 2 : 0)),
  ];
  printTable([
    ['', 'ours, judged', 'ours, fetched', 'blackbox', 'judged/blackbox', 'openssl handshakes'],
    ...figures.map((row, index) => line(`round ${index + 1}`, row)),
    line(
      'median',
      [0, 1, 2, 3, 4].map((column) => median(figures.map((row) => row[column] ?? Number.NaN))),
    ),
  ]);
  console.log(
    `Peak memory: ours ${round(peakMegabytes(worker.pid))} MB, blackbox ${round(peakMegabytes(blackbox.process.pid))} MB\n`,
  );
}

async function measureLatency(bench: Bench, waitMs: number): Promise<void> {
  console.log(
    `Latency that the prober reports beyond what the server took by its own clock, which answers ${waitMs === 0 ? 'at once' : `after ${waitMs} ms`}:`,
  );
  const rows = [['in flight', 'probes/s', 'p50 ms', 'p99 ms', 'prober CPU']];
  for (const inFlight of [1, 16, 48, 64, 256]) {
    const order = { urls: urlsOf(bench, waitMs === 0 ? '/paid' : `/wait/${waitMs}`), inFlight, judge: true };
    await ask<ProbeRun>(bench.worker, { ...order, seconds: 1 } satisfies ProbeOrder);
    const run = await ask<ProbeRun>(bench.worker, { ...order, seconds: 3 } satisfies ProbeOrder);
    perCpuSecond(run);
    rows.push([
      String(inFlight),
      round(run.probes / run.wallSeconds),
      round(quantile(run.addedMs, 0.5), 1),
      round(quantile(run.addedMs, 0.99), 1),
      `${round((100 * run.cpuSeconds) / run.wallSeconds)} %`,
    ]);
  }
  printTable(rows);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const started: ChildProcess[] = [];
  try {
    const authority = createIdentity(folder);
    const servers = startHelper(new URL('./support/https-targets.ts', import.meta.url), [
      folder,
      String(TARGETS),
    ]);
    started.push(servers);
    const ports = await ask<readonly number[]>(servers, {});
    const worker = startHelper(new URL('./support/probe-worker.ts', import.meta.url), [authority]);
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
