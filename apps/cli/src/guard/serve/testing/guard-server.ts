import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { run } from '../../../run.ts';

/** A running `touchstone guard serve` in the test process. */
export interface GuardServer {
  readonly base: string;
  readonly journal: string;
  /** Standard error so far. */
  readonly readErrors: () => string;
  /** Sends a JSON request to a route, such as `/check`. GET without values. */
  readonly send: (
    path: string,
    values?: object,
  ) => Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  /** Ends the server as SIGTERM does. Resolves to the exit code. */
  readonly stop: () => Promise<number>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Starts `touchstone guard serve` on a free port, with an empty journal. */
export async function startGuardServer(args: readonly string[]): Promise<GuardServer> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-guard-serve-'));
  const journal = join(folder, 'payments.jsonl');
  const [stdout, stderr, signals] = [new PassThrough(), new PassThrough(), new EventEmitter()];
  let errors = '';
  stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = run(['guard', 'serve', '--port', '0', '--journal', journal, ...args], {
    ...{ stdin: Readable.from([]), stdout, stderr, env: {} },
    ...{ on: signals.on.bind(signals), off: signals.off.bind(signals) },
  });
  const started = once(stdout.setEncoding('utf8'), 'data').then(([line]) => String(line));
  const line = await Promise.race([started, ended.then((code) => `ended with ${String(code)}: ${errors}`)]);
  const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
  if (base === undefined) throw new Error(`The guard did not start: ${line}`);
  const stop = async () => {
    signals.emit('SIGTERM');
    return ended;
  };
  return {
    ...{ base, journal, stop, readErrors: () => errors },
    send: async (path, values) => {
      const response = await fetch(base + path, {
        method: values === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: values === undefined ? null : JSON.stringify(values),
      });
      // All routes respond with an object.
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
