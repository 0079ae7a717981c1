import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinary } from './binaries.ts';

/**
 * Creates a certificate authority and a P-256 certificate for localhost: `ca.pem`, `leaf.pem` and `leaf.key` in
 * `folder`. Returns the path of `ca.pem`.
 */
export function createIdentity(folder: string): string {
  const openssl = (...args: string[]): void => {
    execFileSync(findBinary(['openssl'], 'openssl'), args, { cwd: folder, stdio: 'ignore' });
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
  const openssl = findBinary(['openssl'], 'openssl');
  const command = `TIMEFORMAT='cpu %U %S'; time ${openssl} s_time -connect 127.0.0.1:${port} -new -time ${seconds} -CAfile ${authority}`;
  const { stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
  const connections = Number(/(\d+) connections in [\d.]+s;/.exec(stdout)?.[1]);
  const cpu = /cpu ([\d.]+) ([\d.]+)/.exec(stderr);
  return connections / (Number(cpu?.[1]) + Number(cpu?.[2]));
}
