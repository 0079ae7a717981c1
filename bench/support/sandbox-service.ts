import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface SandboxService {
  readonly url: string;
  readonly chain: { readonly rpcUrl: string; readonly facilitatorUrl: string };
  /** Private key of a wallet with made-up dollars. */
  readonly visitorKey: `0x${string}`;
  stop(): Promise<void>;
}

/** Starts the service with its sandbox as its users do, and waits until everything is probed and scored. */
export async function startSandboxService(dataDir: string, port: number): Promise<SandboxService> {
  const child = spawn(process.execPath, ['apps/service/src/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, SANDBOX_DAYS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  await new Promise<void>((ready, failed) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.includes('  schedule ')) ready();
    });
    child.once('exit', () => failed(new Error(`the service ended:\n${said}`)));
  });
  const log = readFileSync(join(dataDir, 'logs', 'service.log'), 'utf8')
    .trim()
    .split('\n');
  const up = log
    .map((line) => JSON.parse(line) as { msg?: string })
    .find(({ msg }) => msg === 'All parts are up');
  // Written by the service that was started above.
  const { chain } = up as unknown as Pick<SandboxService, 'chain'>;
  return {
    url: `http://localhost:${port}`,
    chain,
    visitorKey: readFileSync(join(dataDir, 'sandbox', 'visitor.key'), 'utf8').trim() as `0x${string}`,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
