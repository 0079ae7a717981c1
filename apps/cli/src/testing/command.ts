import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/touchstone.mjs', import.meta.url));

const COLORING = new Set(['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS']);

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command line as a user does, without the colors of the terminal the tests run in. */
export function startTouchstone(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const inherited = Object.entries(process.env).filter(([name]) => !COLORING.has(name));
  return spawn(process.execPath, [BIN, ...args], { env: { ...Object.fromEntries(inherited), ...env } });
}

/** Runs the command line to its end. */
export async function touchstone(
  args: readonly string[],
  input = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return endOf(startTouchstone(args, env), input);
}

/** Gives a process its input and waits for its end. */
export async function endOf(child: ChildProcessWithoutNullStreams, input = ''): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A command that does not want its input closes it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

/** The parsed lines of `--json`. */
export function jsonLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>);
}
