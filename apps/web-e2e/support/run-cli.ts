import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));

/** Runs a command of the `touchstone` CLI against the sandbox of the shared service. */
export async function runCli(args: readonly string[]) {
  const dataDir = process.env['TOUCHSTONE_DATA_DIR'] ?? '';
  const child = spawn(process.execPath, [CLI, ...args, '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = [text(child.stdout), text(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: await output, stderr: await errors };
}
