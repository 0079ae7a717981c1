import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/** One connection to a PostgreSQL server: a psql process. Statements run one after the other. */
export interface Session {
  /** Runs statements and returns what they print; throws what the last one failed with. */
  exec(sql: string): Promise<string>;
  /** Rows of one select, as objects. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  query(sql: string, parameters?: unknown[]): Promise<{ rows: unknown[] }>;
  close(): Promise<void>;
  /** Ends the process as `kill -9` does; the server finds out by itself. */
  kill(): void;
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

/** Connects. @throws when the server does not answer. */
export async function openSession(psql: string, { host, port, user }: Address): Promise<Session> {
  const child = spawn(
    psql,
    ['-X', '-q', '-A', '-t', '-h', host, '-p', String(port), '-U', user, 'postgres'],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const gone = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`psql ended with ${String(code)}: ${complaint}`)));
  });
  // Whoever waits for an answer hears of it.
  gone.catch(() => undefined);
  child.stdin.on('error', () => undefined);
  let complaint = '';
  let heard = '';
  let listen: () => void = () => undefined;
  child.stderr.on('data', (chunk: Buffer) => (complaint = chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    heard += chunk.toString();
    listen();
  });

  const ask = async (sql: string): Promise<string> => {
    const mark = randomUUID();
    const answered = new Promise<string>((resolve, reject) => {
      listen = () => {
        const [said, end] = heard.split(`${mark} `, 2);
        if (said === undefined || end === undefined || !end.includes('\n')) return;
        heard = '';
        if (end.startsWith('true')) reject(new Error(end.slice('true '.length).trim()));
        else resolve(said.trim());
      };
    });
    child.stdin.write(`${sql}\n;\n\\echo ${mark} :ERROR :LAST_ERROR_SQLSTATE :LAST_ERROR_MESSAGE\n`);
    return Promise.race([answered, gone]);
  };
  let turn: Promise<unknown> = Promise.resolve();
  const exec = (sql: string): Promise<string> => {
    const answer = turn.then(() => ask(sql));
    turn = answer.catch(() => undefined);
    return answer;
  };
  const rows = async (sql: string): Promise<Record<string, unknown>[]> =>
    // json_agg makes an array of objects of any rows.
    JSON.parse(await exec(`select coalesce(json_agg(q), '[]') from (${sql}) q`)) as Record<string, unknown>[];
  await exec('select 1');
  return {
    exec,
    rows,
    query: async (sql, parameters = []) => {
      const filled = sql.replace(/\$(\d)/g, (_, place: string) => literal(parameters[Number(place) - 1]));
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

/** A value as SQL writes it. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]::text[]`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}
