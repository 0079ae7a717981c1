import { spawn } from 'node:child_process';
import { findBinary } from './binaries.ts';

export interface Session {
  /** Runs SQL, COPY data included, and returns its output, unaligned and without headings. Rejects with its error. */
  readonly run: (sql: string) => Promise<string>;
  /** The same, and how long it took from sending to the answer, in milliseconds. */
  readonly time: (sql: string) => Promise<{ readonly ms: number; readonly output: string }>;
  /** What the server said beside the answers since this was asked last, such as plans. */
  readonly notices: () => string;
  readonly close: () => Promise<void>;
}

const MARK = '~~done~~';

/** One connection, kept open by a `psql` that is fed through its standard input: no driver has to be installed. */
export function openSession(host: string, port: number): Session {
  const args = [
    '-X',
    '-q',
    '-A',
    '-t',
    '-v',
    'ON_ERROR_STOP=1',
    '-h',
    host,
    '-p',
    String(port),
    '-U',
    'postgres',
  ];
  const child = spawn(findBinary(['psql'], 'postgresql-client'), [...args, 'postgres'], {
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
    time: async (sql) => {
      const startedAt = performance.now();
      const answer = await run(sql);
      return { ms: performance.now() - startedAt, output: answer };
    },
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
