import { join } from 'node:path';
import { createCipher, parseWatchKeys } from '@touchstone/watch';
import { readConfig } from './config/config.ts';
import { createSandboxContext } from './context.ts';
import { openDataFolder } from './data-folder/data-folder.ts';
import { openWatchKeys } from './data-folder/keys.ts';
import { startDatabase } from './database.ts';
import { Supervisor } from './processes/supervisor.ts';
import { simulatePast } from './sandbox/run-sandbox.ts';
import { startSandboxProcess } from './sandbox/start-sandbox.ts';

// Simulates the past of the sandbox in DATA_DIR, and exits. The site and the scheduled jobs are not started, so no
// build of the site is needed. A service that starts later with a copy of this folder continues from the end of the
// simulation.

const config = readConfig(process.env, 'sandbox');
const folder = openDataFolder(config.dataDir, 'sandbox');
const print = (part: string, text: string): void => void process.stdout.write(`  ${part}: ${text}\n`);
const supervisor = new Supervisor({ logDir: join(folder.path, 'logs'), print });
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
try {
  const database = await startDatabase(folder, supervisor);
  const sandbox = await startSandboxProcess({ folder, config, supervisor });
  const options = {
    baseUrl: config.baseUrl,
    database,
    owner: 'time-lapse',
    embedder: null,
    onChanged: () => Promise.resolve(),
    cipher: createCipher(parseWatchKeys(openWatchKeys(folder))),
  };
  const context = createSandboxContext(options, sandbox);
  await simulatePast({ context, sandbox, folder, print, signal: stopping.signal });
} finally {
  await supervisor.stop();
  folder.release();
}
process.exit(stopping.signal.aborted ? 1 : 0);
