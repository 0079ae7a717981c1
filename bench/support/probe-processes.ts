import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createProber, type Probe } from '@touchstone/probe';
import { createChallengeReader, readDeclaredMethod } from '@touchstone/x402';
import { createChallengeHeaders } from './challenge.ts';

/**
 * Program of the child processes of bench/probe.ts. Each is a separate process, so that its CPU time is measured
 * separately. The first argument selects the process:
 *
 * - `servers`: HTTPS servers. Further arguments: folder of the certificate and key, number of servers. Sends the ports.
 * - `worker`: probes like a worker of the service. Further argument: certificate file of the authority to trust. For each
 *   `ProbeOrder` it sends one `ProbeRun`.
 * - `load`: loads the code of the other processes, and ends.
 */

/** Message that starts one measurement of the `worker` process. */
export interface ProbeOrder {
  readonly urls: readonly string[];
  readonly seconds: number;
  readonly inFlight: number;
  /** `true` to check each challenge by all compliance rules, as a worker does; `false` to only fetch the challenge. */
  readonly checkCompliance: boolean;
  /** Number of compliance checks before the measurement. These checks let the JIT compiler compile the rules first. */
  readonly warmUpChecks?: number;
}

export interface ProbeRun {
  readonly probes: number;
  /** Number of probes without a valid challenge. The measurement is valid only if this number is 0. */
  readonly failed: number;
  readonly cpuSeconds: number;
  /** Added latency of each probe, in milliseconds: the reported latency minus the time that the server measured. */
  readonly addedMs: readonly number[];
}

type Prober = ReturnType<typeof createProber>;

function readServerMs(result: Probe): number {
  const timing = result.headers.find(([name]) => name.toLowerCase() === 'server-timing')?.[1] ?? '';
  return Number(timing.replace('own;dur=', ''));
}

/** Reader with a memory, as in a worker. */
const readChallenge = createChallengeReader({ digest: (text) => hash('sha256', text, 'buffer') });

function isPayable({ url, method, headers, body }: Probe): boolean {
  return readChallenge({ url, method, status: 402, headers, body }).payable.v2;
}

async function warmUp(probe: Prober, { urls, warmUpChecks = 0 }: ProbeOrder): Promise<void> {
  if (warmUpChecks === 0) return;
  const probes = await Promise.all(urls.map((url) => probe({ url, methods: ['GET'] })));
  for (let done = 0; done < warmUpChecks; done += probes.length) probes.forEach(isPayable);
}

async function run(probe: Prober, order: ProbeOrder): Promise<ProbeRun> {
  await warmUp(probe, order);
  const cpu = process.cpuUsage();
  const deadline = performance.now() + order.seconds * 1_000;
  const addedMs: number[] = [];
  let failed = 0;
  let next = 0;
  const probeUntilDeadline = async (): Promise<void> => {
    while (performance.now() < deadline) {
      next += 1;
      const result = await probe({
        url: order.urls[next % order.urls.length] ?? '',
        methods: ['GET'],
        ...(order.checkCompliance ? { readDeclaredMethod } : {}),
      });
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
    addedMs,
  };
}

/**
 * Starts an HTTPS server that responds to each request with a challenge. The path `/wait/250` delays the response by 250
 * ms. The header `server-timing` contains the time since the server accepted the connection, in milliseconds. Returns the
 * port.
 */
function startServer(identity: ServerOptions): Promise<number> {
  const acceptedAt = new Map<number | undefined, number>();
  const server = createServer(identity, (request, response) => {
    const port = request.socket.remotePort;
    const respond = (): void => {
      const took = performance.now() - (acceptedAt.get(port) ?? Number.NaN);
      const timing = { 'server-timing': `own;dur=${took.toFixed(3)}` };
      response.writeHead(402, { ...headers, ...timing }).end('{}');
    };
    const wait = Number(/^\/wait\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    if (wait === 0) respond();
    else setTimeout(respond, wait);
  });
  let headers: Record<string, string> = {};
  server.on('connection', (socket: Socket) => {
    acceptedAt.set(socket.remotePort, performance.now());
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  return new Promise((ready) => {
    server.listen(0, '127.0.0.1', 4_096, () => {
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      headers = createChallengeHeaders(`https://localhost:${port}/paid`);
      ready(port);
    });
  });
}

function startWorker(authority: string): void {
  const probe = createProber({
    // Every host name resolves to this machine, so no DNS server affects the measurement.
    resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4, isTrusted: true }]),
    ca: [readFileSync(authority, 'utf8')],
    userAgent: 'touchstone-bench',
  });
  // The type is safe, because only bench/probe.ts starts this process, and it sends a ProbeOrder.
  process.on('message', (order: ProbeOrder) => {
    void run(probe, order).then((done) => process.send?.(done));
  });
}

async function startServers(folder: string, count: number): Promise<void> {
  const identity: ServerOptions = {
    cert: readFileSync(join(folder, 'leaf.pem')),
    key: readFileSync(join(folder, 'leaf.key')),
    minVersion: 'TLSv1.3',
  };
  process.send?.(await Promise.all(Array.from({ length: count }, () => startServer(identity))));
}

process.on('disconnect', () => process.exit(0));
const [role, path = '', count = '1'] = process.argv.slice(2);
if (role === 'worker') startWorker(path);
if (role === 'servers') await startServers(path, Number(count));
