import { spawn } from 'node:child_process';
import { findBinary } from './binaries.ts';
import { readOnCpuMs } from './processes.ts';

export interface TimedResult {
  /** Time from the request to the response, in milliseconds. */
  readonly ms: number;
  /** CPU time of this connection's server process, in milliseconds. Other load on the machine hardly changes it. */
  readonly cpuMs: number;
  readonly output: string;
}

export interface Session {
  /**
   * Runs SQL, which can include COPY data. Returns psql's output, unaligned and without headings. Rejects with psql's
   * error.
   */
  readonly run: (sql: string) => Promise<string>;
  /** Runs SQL and measures its duration. */
  readonly time: (sql: string) => Promise<TimedResult>;
  /** Returns the server's notices since the last call, such as query plans. */
  readonly takeNotices: () => string;
  readonly close: () => Promise<void>;
}

const END_MARK = '~~done~~';
const ARGS = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-U', 'postgres'];

/** Returns a function that runs SQL and measures the elapsed time and the CPU time of the server process. */
function createTimer(run: Session['run']): Session['time'] {
  let backend: number | null = null;
  return async (sql) => {
    const pid = (backend ??= Number(await run('select pg_backend_pid()')));
    const cpuBefore = readOnCpuMs(pid);
    const startedAt = performance.now();
    const output = await run(sql);
    const ms = performance.now() - startedAt;
    return { ms, cpuMs: readOnCpuMs(pid) - cpuBefore, output };
  };
}

/** Opens one connection with the program `psql`, so that no database driver is needed. */
export function openSession(host: string, port: number): Session {
  const child = spawn(findBinary(['psql'], 'postgresql-client'), [...ARGS, '-h', host, '-p', String(port)], {
    env: { ...process.env, PGOPTIONS: '-c client_min_messages=warning' },
  });
  /** Chunks of the output. They are joined once, because checking the end of a joined text copies it. */
  let chunks: string[] = [];
  let errors = '';
  let settle: (() => void) | null = null;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    chunks.push(text);
    const end = text.length > END_MARK.length ? text : chunks.slice(-END_MARK.length).join('');
    if (end.endsWith(`${END_MARK}\n`)) settle?.();
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
    const completed = new Promise<void>((resolve) => (settle = resolve));
    // psql 15.20 runs no further command after an empty statement that follows the data of a COPY.
    const end = sql.endsWith('\\.\n') ? '' : '\n;\n';
    child.stdin.write(`${sql}${end}\\echo ${END_MARK}\n`);
    await completed;
    const result = chunks.join('');
    chunks = [];
    if (!result.endsWith(`${END_MARK}\n`)) throw new Error(`psql: ${errors.trim().slice(0, 2_000)}`);
    return result.slice(0, -END_MARK.length - 1);
  };
  return {
    run,
    time: createTimer(run),
    takeNotices: () => {
      const taken = errors;
      errors = '';
      return taken;
    },
    close: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** Returns a text as an SQL string literal. */
export function quoteSql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
