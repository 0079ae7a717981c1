import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../run.ts';
import type { Ended } from './command.ts';

/** Environment and terminal of a run; without a terminal where it says nothing of one. */
export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
}

/** Runs the command line within the test, which is fast, on streams of its own. */
export async function runHere(
  args: readonly string[],
  input = '',
  { env = {}, isTTY = false }: Surroundings = {},
): Promise<Ended> {
  const stdin = Object.assign(Readable.from([Buffer.from(input)]), { isTTY });
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const said = Promise.all([text(stdout), text(stderr)]);
  const code = await run(args, { stdin, stdout, stderr, env });
  stdout.end();
  stderr.end();
  const [out, err] = await said;
  return { code, stdout: out, stderr: err };
}
