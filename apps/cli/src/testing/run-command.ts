import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/touchstone.mjs', import.meta.url));

const COLOR_VARIABLES = new Set(['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS']);

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command line in a child process, without environment variables that force or disable colors. */
export function startTouchstone(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const inherited = Object.entries(process.env).filter(([name]) => !COLOR_VARIABLES.has(name));
  return spawn(process.execPath, [BIN, ...args], { env: { ...Object.fromEntries(inherited), ...env } });
}

/** Runs the command line in a child process, and waits for its end. */
export async function runTouchstone(
  args: readonly string[],
  input = '',
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  return waitForEnd(startTouchstone(args, env), input);
}

export async function waitForEnd(child: ChildProcessWithoutNullStreams, input = ''): Promise<CommandResult> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A command that reads no input may close its standard input, which would cause an unhandled error here.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

/** Parses the output of `--json`, which has one JSON object on each line. */
export function jsonLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>);
}
