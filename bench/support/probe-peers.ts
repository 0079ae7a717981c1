import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { findFreePort } from '../../libs/embedded/src/testing/postgres.ts';
import { readCpuSeconds } from './processes.ts';
import type { ProbeOrder, ProbeRun } from './probe-processes.ts';

/**
 * Creates a certificate authority and a P-256 certificate for localhost: `ca.pem`, `leaf.pem` and `leaf.key` in
 * `folder`. Returns the path of `ca.pem`.
 */
export function createIdentity(folder: string): string {
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  writeFileSync(join(folder, 'leaf.ext'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=bench', '-days', '2');
  openssl('req', ...key, '-keyout', 'leaf.key', '-out', 'leaf.csr', '-subj', '/CN=localhost');
  openssl(
    ...['x509', '-req', '-in', 'leaf.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-out', 'leaf.pem', '-days', '2', '-extfile', 'leaf.ext'],
  );
  return join(folder, 'ca.pem');
}

/**
 * Measures how many full TLS handshakes OpenSSL's own client makes per second of CPU time. The result is the upper
 * limit for every prober that uses OpenSSL.
 */
export function measureHandshakesPerCpuSecond(port: number, authority: string, seconds: number): number {
  const command = `TIMEFORMAT='cpu %U %S'; time openssl s_time -connect 127.0.0.1:${port} -new -time ${seconds} -CAfile ${authority}`;
  const { stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
  const connections = Number(/(\d+) connections in [\d.]+s;/.exec(stdout)?.[1]);
  const cpu = /cpu ([\d.]+) ([\d.]+)/.exec(stderr);
  return connections / (Number(cpu?.[1]) + Number(cpu?.[2]));
}

/** Program names of blackbox_exporter in Debian and in the releases of the project. */
const BLACKBOX_NAMES = ['prometheus-blackbox-exporter', 'blackbox_exporter'];

export interface Blackbox {
  readonly process: ChildProcess;
  readonly run: (order: Omit<ProbeOrder, 'checkCompliance'>) => Promise<ProbeRun>;
}

/**
 * Returns a blackbox_exporter configuration that sends the same request as Touchstone's prober: one GET over HTTP/1.1,
 * without redirects. The configuration trusts the given certificate authority.
 */
const formatConfiguration = (authority: string): string => `modules:
  x402:
    prober: http
    timeout: 10s
    http:
      method: GET
      valid_status_codes: [402]
      follow_redirects: false
      enable_http2: false
      preferred_ip_protocol: ip4
      tls_config:
        ca_file: ${authority}
`;

function fetchText(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

async function waitUntilHealthy(agent: Agent, base: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const text = await fetchText(agent, `${base}/-/healthy`).catch(() => '');
    if (text.includes('ealthy')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('prometheus-blackbox-exporter did not start within five seconds');
}

/**
 * Starts Debian's prometheus-blackbox-exporter. One HTTP request to it triggers one probe, as in production with
 * Prometheus.
 */
export async function startBlackbox(folder: string, authority: string): Promise<Blackbox> {
  const binary = BLACKBOX_NAMES.find((name) => spawnSync(name, ['--version']).status === 0);
  if (binary === undefined)
    throw new Error(
      'This benchmark needs blackbox_exporter. On Debian: apt-get install prometheus-blackbox-exporter',
    );
  const file = join(folder, 'blackbox.yml');
  writeFileSync(file, formatConfiguration(authority));
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const args = [`--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'];
  const child = spawn(binary, args, { stdio: 'ignore' });
  const agent = new Agent({ keepAlive: true });
  await waitUntilHealthy(agent, base);

  const run: Blackbox['run'] = async ({ urls, seconds, inFlight }) => {
    const startedAt = performance.now();
    const cpuBefore = readCpuSeconds(child.pid);
    let probes = 0;
    let failed = 0;
    const probeUntilDeadline = async (): Promise<void> => {
      while (performance.now() < startedAt + seconds * 1_000) {
        probes += 1;
        const target = encodeURIComponent(urls[probes % urls.length] ?? '');
        const text = await fetchText(agent, `${base}/probe?module=x402&target=${target}`);
        if (!text.includes('\nprobe_success 1')) failed += 1;
      }
    };
    await Promise.all(Array.from({ length: inFlight }, probeUntilDeadline));
    return {
      probes,
      failed,
      cpuSeconds: readCpuSeconds(child.pid) - cpuBefore,
      addedMs: [],
    };
  };
  return { process: child, run };
}
