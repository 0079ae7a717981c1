import { spawn } from 'node:child_process';
import { findBinary } from './binaries.ts';
import { onCpuMs } from './processes.ts';

export interface Timed {
  /** Milliseconds from sending to the answer. */
  readonly ms: number;
  /** Milliseconds of processor time in the server process of this connection: what other load disturbs least. */
  readonly cpuMs: number;
  readonly output: string;
}

export interface Session {
  /** Runs SQL, COPY data included, and returns its output, unaligned and without headings. Rejects with its error. */
  readonly run: (sql: string) => Promise<string>;
  /** The same, and what it took. */
  readonly time: (sql: string) => Promise<Timed>;
  /** What the server said beside the answers since this was asked last, such as plans. */
  readonly notices: () => string;
  readonly close: () => Promise<void>;
}

const MARK = '~~done~~';
const ARGS = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-U', 'postgres'];

/** Runs SQL on the clocks: the wall's, and the server process's own. */
function timer(run: Session['run']): Session['time'] {
  let backend: number | null = null;
  return async (sql) => {
    const pid = (backend ??= Number(await run('select pg_backend_pid()')));
    const cpuBefore = onCpuMs(pid);
    const startedAt = performance.now();
    const output = await run(sql);
    const ms = performance.now() - startedAt;
    return { ms, cpuMs: onCpuMs(pid) - cpuBefore, output };
  };
}

/** One connection, kept open by a `psql` that is fed through its standard input: no driver has to be installed. */
export function openSession(host: string, port: number): Session {
  const child = spawn(findBinary(['psql'], 'postgresql-client'), [...ARGS, '-h', host, '-p', String(port)], {
    env: { ...process.env, PGOPTIONS: '-c client_min_messages=warning' },
  });
  let output = '';
  let errors = '';
  let settle: (() => void) | null = null;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.endsWith(`${MARK}\n`)) settle?.();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      settle?.();
      resolve();
    });
  });

  const run = async (sql: string): Promise<string> => {
    const answered = new Promise<void>((resolve) => (settle = resolve));
    child.stdin.write(`${sql}\n;\n\\echo ${MARK}\n`);
    await answered;
    const answer = output;
    output = '';
    if (!answer.endsWith(`${MARK}\n`)) throw new Error(`psql: ${errors.trim().slice(0, 2_000)}`);
    return answer.slice(0, -MARK.length - 1);
  };
  return {
    run,
    time: timer(run),
    notices: () => {
      const told = errors;
      errors = '';
      return told;
    },
    close: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** A text as an SQL literal. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
