import { createProber, type Probe } from '@touchstone/probe';
import { readChallenge } from '@touchstone/x402';
import { readFileSync } from 'node:fs';

/**
 * Program of a child process that probes like a worker of the service. It is a separate process, so that its CPU time
 * contains only the prober. Argument: certificate file of the authority to trust. For each `ProbeOrder` it sends one
 * `ProbeRun`.
 */
export interface ProbeOrder {
  readonly urls: readonly string[];
  readonly seconds: number;
  readonly inFlight: number;
  /** `true` to check each challenge by all compliance rules, as a worker does; `false` to only fetch the challenge. */
  readonly checkCompliance: boolean;
  /** Number of compliance checks before the run starts. They let the JIT compiler compile the rules first. */
  readonly warmUpChecks?: number;
}

export interface ProbeRun {
  readonly probes: number;
  /** Number of probes that received no valid challenge. It must be 0 for the run to be valid. */
  readonly failed: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Added latency of each probe, in milliseconds: the reported latency minus the time that the server measured. */
  readonly addedMs: readonly number[];
}

const probe = createProber({
  // Every host name resolves to this machine, so that the run includes no name server.
  resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4, isTrusted: true }]),
  ca: [readFileSync(process.argv[2] ?? '', 'utf8')],
  userAgent: 'touchstone-bench',
});

function readServerMs(result: Probe): number {
  const timing = result.headers.find(([name]) => name.toLowerCase() === 'server-timing')?.[1] ?? '';
  return Number(timing.replace('own;dur=', ''));
}

function isPayable({ url, method, headers, body }: Probe): boolean {
  return readChallenge({ url, method, status: 402, headers, body }).payable.v2;
}

async function warmUp({ urls, warmUpChecks = 0 }: ProbeOrder): Promise<void> {
  if (warmUpChecks === 0) return;
  const probes = await Promise.all(urls.map((url) => probe({ url, methods: ['GET'] })));
  for (let done = 0; done < warmUpChecks; done += probes.length) probes.forEach(isPayable);
}

async function run(order: ProbeOrder): Promise<ProbeRun> {
  await warmUp(order);
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const deadline = startedAt + order.seconds * 1_000;
  const addedMs: number[] = [];
  let failed = 0;
  let next = 0;
  const probeUntilDeadline = async (): Promise<void> => {
    while (performance.now() < deadline) {
      next += 1;
      const result = await probe({ url: order.urls[next % order.urls.length] ?? '', methods: ['GET'] });
      const succeeded = result.outcome === 'challenged' && (!order.checkCompliance || isPayable(result));
      if (!succeeded) failed += 1;
      addedMs.push((result.latencyMs ?? Number.NaN) - readServerMs(result));
    }
  };
  await Promise.all(Array.from({ length: order.inFlight }, probeUntilDeadline));
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
// The type is safe, because only bench/probe.ts starts this process, and it sends a ProbeOrder.
process.on('message', (order: ProbeOrder) => {
  void run(order).then((done) => process.send?.(done));
});
