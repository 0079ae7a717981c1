import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/** A connection to a PostgreSQL server through a psql process. Statements run one after the other. */
export interface Session {
  /** Runs SQL statements and returns their output. Rejects with the error of the last statement when it failed. */
  exec(sql: string): Promise<string>;
  /** Returns the rows of a select statement as objects. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  query(sql: string, parameters?: unknown[]): Promise<{ rows: unknown[] }>;
  close(): Promise<void>;
  /** Kills the psql process with SIGKILL, so that the connection is not closed properly. */
  kill(): void;
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

/**
 * Opens a connection to a PostgreSQL server.
 * @throws Error when the server does not respond.
 */
export async function openSession(psql: string, { host, port, user }: Address): Promise<Session> {
  const child = spawn(
    psql,
    ['-X', '-q', '-A', '-t', '-h', host, '-p', String(port), '-U', user, 'postgres'],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`psql ended with ${String(code)}: ${lastError}`)));
  });
  // The rejection is reported by the statement that is running, so it is ignored here.
  ended.catch(() => undefined);
  child.stdin.on('error', () => undefined);
  let lastError = '';
  let output = '';
  let onOutput: () => void = () => undefined;
  child.stderr.on('data', (chunk: Buffer) => (lastError = chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    onOutput();
  });

  const runStatement = async (sql: string): Promise<string> => {
    const endMarker = randomUUID();
    const result = new Promise<string>((resolve, reject) => {
      onOutput = () => {
        const [printed, end] = output.split(`${endMarker} `, 2);
        if (printed === undefined || end === undefined || !end.includes('\n')) return;
        output = '';
        if (end.startsWith('true')) reject(new Error(end.slice('true '.length).trim()));
        else resolve(printed.trim());
      };
    });
    child.stdin.write(`${sql}\n;\n\\echo ${endMarker} :ERROR :LAST_ERROR_SQLSTATE :LAST_ERROR_MESSAGE\n`);
    return Promise.race([result, ended]);
  };
  let previous: Promise<unknown> = Promise.resolve();
  const exec = (sql: string): Promise<string> => {
    const result = previous.then(() => runStatement(sql));
    previous = result.catch(() => undefined);
    return result;
  };
  const rows = async (sql: string): Promise<Record<string, unknown>[]> =>
    // The cast is safe because `json_agg` converts the rows to an array of objects.
    JSON.parse(await exec(`select coalesce(json_agg(q), '[]') from (${sql}) q`)) as Record<string, unknown>[];
  await exec('select 1');
  return {
    exec,
    rows,
    query: async (sql, parameters = []) => {
      const filled = sql.replace(/\$(\d)/g, (_, position: string) =>
        formatLiteral(parameters[Number(position) - 1]),
      );
      if (/^select/i.test(sql)) return { rows: await rows(filled) };
      await exec(filled);
      return { rows: [] };
    },
    close: async () => {
      const exit = new Promise((done) => child.once('exit', done));
      child.stdin.end();
      await exit;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Formats a value as an SQL literal. */
export function formatLiteral(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(formatLiteral).join(', ')}]::text[]`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}
