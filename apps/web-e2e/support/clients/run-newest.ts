import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { formatMatrix, toFolderName, type Client, type Product } from './client.ts';
import { CLIENTS } from './clients.ts';

// Installs the newest version of each client into a temporary folder, runs http/clients.test.ts with these clients, and
// prints the client matrix in Markdown. Exits with 1 if a client does not buy what docs/clients.md states.

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
function install(root: string, { name, packages, isPinned }: Client): void {
  const folder = join(root, toFolderName(name));
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), MANIFEST);
  const ids = Object.entries(packages).map(
    ([id, version]) => `${id}@${isPinned === true ? version : 'latest'}`,
  );
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    if (ids.length > 0)
      execFileSync('npm', ['install', ...options, ...ids], { cwd: folder, stdio: 'inherit' });
  } catch {
    process.stderr.write(`npm could not install ${ids.join(', ')}.\n`);
  }
  writeFileSync(join(folder, 'node_modules/load.mjs'), LOADER);
}

/** Reads the installed version of a package of a client. */
function readVersion(root: string, { name }: Client, id: string): string {
  try {
    const text = readFileSync(join(root, toFolderName(name), 'node_modules', id, 'package.json'), 'utf8');
    return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
  } catch {
    return 'not installed';
  }
}

const resultsSchema = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

/** Returns a function that reads the cells of the matrix from the results of the tests. */
function createCells(text: string): (client: Client, product: Product) => string {
  const tests = resultsSchema.parse(JSON.parse(text)).testResults.flatMap((file) => file.assertionResults);
  return (client, product) => {
    const title = `buys a ${product}`;
    const test = tests.find((one) => one.ancestorTitles.includes(client.name) && one.title === title);
    return test === undefined ? 'no' : test.status === 'passed' ? 'yes' : '**failed**';
  };
}

const root = mkdtempSync(join(tmpdir(), 'touchstone-clients-'));
const output = join(root, 'results.json');
try {
  for (const client of CLIENTS) install(root, client);
  const args = [
    VITEST,
    'run',
    'http/clients',
    // Some clients send usage statistics to their authors, and do not handle the error of a failed request.
    '--dangerouslyIgnoreUnhandledErrors',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${output}`,
  ];
  const env = { ...process.env, CLIENTS_DIR: root };
  const child = spawn(process.execPath, args, { cwd: WEB_E2E, stdio: 'inherit', env });
  // The first argument of the event `exit` is the exit code. The exit code is null after a signal.
  const [code] = (await once(child, 'exit')) as [number | null];
  const formatCell = createCells(readFileSync(output, 'utf8'));
  process.stdout.write(
    `\n${formatMatrix(CLIENTS, (client, id) => readVersion(root, client, id), formatCell)}\n`,
  );
  process.exitCode = code === 0 ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
