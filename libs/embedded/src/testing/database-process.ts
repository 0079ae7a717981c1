import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { EmbeddedKeys } from '../start.ts';
import type { Target } from './payments.ts';

const readySchema = z.tuple([z.object({ url: z.url() })], z.unknown());

/** Module that makes all writes of a process fail with ENOSPC from the signal SIGUSR2 on, except those to its error output. */
const FULL_DISK = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  const write = fs.writeSync;
  process.on('SIGUSR2', () => {
    fs.writeSync = (file, ...rest) => {
      if (file === 2) return write(file, ...rest);
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    process.send('full');
  });
`)}`;

export interface DatabaseProcess {
  readonly child: ChildProcess;
  readonly target: Target;
  /** Returns the error output up to now. */
  readonly readErrors: () => string;
}

/** Starts the process of the embedded database and waits until it is ready. */
export async function startDatabaseProcess(dataDir: string, keys: EmbeddedKeys): Promise<DatabaseProcess> {
  const child = spawn(
    process.execPath,
    ['--import', FULL_DISK, fileURLToPath(new URL('../main.ts', import.meta.url))],
    {
      env: {
        ...process.env,
        EMBEDDED_DATA_DIR: dataDir,
        EMBEDDED_PUBLISHABLE_KEY: keys.publishable,
        EMBEDDED_SECRET_KEY: keys.secret,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  );
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [{ url }] = readySchema.parse(await once(child, 'message'));
  return { child, target: { url, secret: keys.secret }, readErrors: () => errors };
}
