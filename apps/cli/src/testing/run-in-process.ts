import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { run } from '../run.ts';
import type { CommandResult } from './run-command.ts';

/**
 * Environment variables of a run, and `isTTY`: true if its standard input is a terminal. The default is no variables
 * and no terminal.
 */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
}

/** Returns after one iteration of the event loop instead of the given duration. */
export const skipTime = (_ms: number, signal?: AbortSignal): Promise<void> => nextTurn(undefined, { signal });

/** Runs the command line in the test process, which is faster than a child process. */
export async function runInProcess(
  args: readonly string[],
  input = '',
  { env = {}, isTTY = false }: RunOptions = {},
): Promise<CommandResult> {
  const stdin = Object.assign(Readable.from([Buffer.from(input)]), { isTTY });
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await run(args, { stdin, stdout, stderr, env, sleep: skipTime });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}
