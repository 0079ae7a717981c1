import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toFolderName, type Client } from './client.ts';
import { CLIENTS } from './clients.ts';

// Installs the newest version of each client into a temporary folder, and runs http/clients.test.ts with these clients.
// Exits with 1 if a client does not buy what docs/clients.md states.

const WEB_E2E = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
/**
 * Manifest of the folder of a client. No client needs the connectors of `wagmi` to buy, and the clients of version 1
 * would install 700 MB of them.
 */
const MANIFEST = JSON.stringify({ private: true, overrides: { wagmi: '3.7.7' } });
/** Module that imports the packages of its own folder. */
const LOADER = 'export const load = (name) => import(name);\n';

/** Installs the packages of a client. No package runs an install script. Prints the error if npm fails. */
function install(root: string, { name, packages, checked }: Client): void {
  const folder = join(root, toFolderName(name));
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), MANIFEST);
  const ids = Object.entries(packages).map(
    ([id, version]) => `${id}@${checked === 'nightly, this version' ? version : 'latest'}`,
  );
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    // `npm ls` prints the installed versions.
    for (const args of ids.length > 0 ? [['install', ...ids], ['ls']] : [])
      execFileSync('npm', [...args, ...options], { cwd: folder, stdio: 'inherit' });
  } catch {
    process.stderr.write(`npm could not install ${ids.join(', ')}.\n`);
  }
  writeFileSync(join(folder, 'node_modules/load.mjs'), LOADER);
}

/** Variables that the tests get. The clients could read other variables of the operator, such as keys. */
const VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'TOUCHSTONE_URL', 'TOUCHSTONE_DATA_DIR'];

const root = mkdtempSync(join(tmpdir(), 'touchstone-clients-'));
try {
  for (const client of CLIENTS) install(root, client);
  const args = [
    VITEST,
    'run',
    'http/clients',
    // Some clients send usage statistics to their authors, and do not handle the error of a failed request.
    '--dangerouslyIgnoreUnhandledErrors',
  ];
  const allowed = VARIABLES.map((name) => [name, process.env[name]] as const);
  const env = { ...Object.fromEntries(allowed), CLIENTS_DIR: root };
  const child = spawn(process.execPath, args, { cwd: WEB_E2E, stdio: 'inherit', env });
  // The first argument of the event `exit` is the exit code. The exit code is null after a signal.
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code === 0 ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
