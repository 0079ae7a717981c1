import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDemoWalletKey, readServiceAddresses } from '../../apps/web-e2e/support/service-files.ts';
import { findFreePort } from '../../libs/embedded/src/testing/postgres.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Beginning of the output line that the service prints when its last part has started. */
const STARTED = '  schedule ';

export interface SandboxService extends Pick<ReturnType<typeof readServiceAddresses>, 'chains'> {
  readonly url: string;
  readonly dataDir: string;
  /** Private key of the sandbox's demo wallet. The wallet has test USDC. */
  readonly demoWalletKey: `0x${string}`;
}

/**
 * Starts the service with its sandbox in a temporary folder, as `npm start` does, and passes it to `work` when all
 * endpoints are probed and scored. Then stops the service.
 *
 * @param name part of the name of the temporary folder
 * @param variables more environment variables
 */
export async function runWithSandbox(
  name: string,
  work: (service: SandboxService) => Promise<void>,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), `touchstone-bench-${name}-`));
  const port = await findFreePort();
  const child = spawn(process.execPath, ['apps/service/src/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, SANDBOX_DAYS: '1', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    let output = '';
    await new Promise<void>((ready, failed) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
        if (output.includes(STARTED)) ready();
      });
      child.once('exit', () => failed(new Error(`the service ended:\n${output}`)));
    });
    const { chains } = readServiceAddresses(dataDir);
    await work({
      url: `http://localhost:${port}`,
      dataDir,
      chains,
      demoWalletKey: readDemoWalletKey(dataDir),
    });
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}
