import { createProber, type Probe } from '@touchstone/probe';
import { readChallenge } from '@touchstone/x402';
import { readFileSync } from 'node:fs';

/**
 * A process of its own that probes as a worker does, so that its processor time is the prober's alone.
 * Argument: file of the authority to trust. Answers each order with what the run cost.
 */
export interface ProbeOrder {
  readonly urls: readonly string[];
  readonly seconds: number;
  readonly inFlight: number;
  /** Reads the challenge by all rules, as a worker does, and does not only fetch it. */
  readonly judge: boolean;
  /** Judges answers so many times before it begins, so that the code that judges is compiled. */
  readonly judgeAgain?: number;
}

export interface ProbeRun {
  readonly probes: number;
  /** Probes that did not see the challenge: a run with any of them measures something else. */
  readonly failed: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Latency as the prober reports it, less what the server took by its own clock, in milliseconds. */
  readonly addedMs: readonly number[];
}

const probe = createProber({
  // Every name is this machine: what is measured is the prober, not a name server.
  resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4, vouched: true }]),
  ca: [readFileSync(process.argv[2] ?? '', 'utf8')],
  userAgent: 'touchstone-bench',
});

function ownTime(answer: Probe): number {
  const timing = answer.headers.find(([name]) => name.toLowerCase() === 'server-timing')?.[1] ?? '';
  return Number(timing.replace('own;dur=', ''));
}

function isRead({ url, method, headers, body }: Probe): boolean {
  return readChallenge({ url, method, status: 402, headers, body }).payable.v2;
}

async function warmUp({ urls, judgeAgain = 0 }: ProbeOrder): Promise<void> {
  if (judgeAgain === 0) return;
  const answers = await Promise.all(urls.map((url) => probe({ url, methods: ['GET'] })));
  for (let done = 0; done < judgeAgain; done += answers.length) answers.forEach(isRead);
}

async function run(order: ProbeOrder): Promise<ProbeRun> {
  await warmUp(order);
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const until = startedAt + order.seconds * 1_000;
  const addedMs: number[] = [];
  let failed = 0;
  let next = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      next += 1;
      const answer = await probe({ url: order.urls[next % order.urls.length] ?? '', methods: ['GET'] });
      const seen = answer.outcome === 'challenged' && (!order.judge || isRead(answer));
      if (!seen) failed += 1;
      addedMs.push((answer.latencyMs ?? Number.NaN) - ownTime(answer));
    }
  };
  await Promise.all(Array.from({ length: order.inFlight }, lane));
  const { user, system } = process.cpuUsage(cpu);
  return {
    probes: addedMs.length,
    failed,
    cpuSeconds: (user + system) / 1e6,
    wallSeconds: (performance.now() - startedAt) / 1_000,
    addedMs,
  };
}

process.on('disconnect', () => process.exit(0));
// An order comes from the file that started this process.
process.on('message', (order: ProbeOrder) => {
  void run(order).then((done) => process.send?.(done));
});
