import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { EmbeddedKeys } from '../serve.ts';
import type { Target } from './payments.ts';

const readySchema = z.tuple([z.object({ url: z.url() })], z.unknown());

/** Function of `node:fs` that fails, with the error of the operating system. */
export interface Fault {
  readonly operation: 'writeSync' | 'fdatasyncSync';
  readonly code: 'ENOSPC' | 'EIO';
}

/** Formats a module that makes a function of `node:fs` fail after the signal SIGUSR2. The error output still works. */
const formatFault = ({ operation, code }: Fault): string =>
  `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  const original = fs.${operation};
  process.on('SIGUSR2', () => {
    fs.${operation} = (file, ...rest) => {
      if (file === 2) return original(file, ...rest);
      throw Object.assign(new Error('the disk failed'), { code: '${code}' });
    };
    process.send('failing');
  });
`)}`;

export interface DatabaseProcess {
  readonly child: ChildProcess;
  readonly target: Target;
  /** Returns the error output up to now. */
  readonly readErrors: () => string;
}

/** Starts the process of the embedded database and waits until it is ready. */
export async function startDatabaseProcess(
  dataDir: string,
  keys: EmbeddedKeys,
  fault?: Fault,
): Promise<DatabaseProcess> {
  const imports = fault === undefined ? [] : ['--import', formatFault(fault)];
  const child = spawn(process.execPath, [...imports, fileURLToPath(new URL('../main.ts', import.meta.url))], {
    env: {
      ...process.env,
      EMBEDDED_DATA_DIR: dataDir,
      EMBEDDED_PUBLISHABLE_KEY: keys.publishable,
      EMBEDDED_SECRET_KEY: keys.secret,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [{ url }] = readySchema.parse(await once(child, 'message'));
  return { child, target: { url, secret: keys.secret }, readErrors: () => errors };
}
