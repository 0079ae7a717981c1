import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toServerName } from '@touchstone/contract';
import { writeBundle } from './bundle.ts';
import { collectLicenses } from './third-party-licenses.ts';
import { writeDeclarations } from './write-declarations.ts';
import { assertPublicOrigin, writeRegistryEntry } from './registry-entry.ts';
import { writeManifest } from './write-manifest.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LICENSES_FILE = 'THIRD-PARTY-LICENSES.txt';

/** File that starts the published command line. A Node.js that is too old cannot even load `main.js`. */
const START = `#!/usr/bin/env node
import * as tls from 'node:tls';

if (tls.getCACertificates === undefined) {
  process.stderr.write(\`touchstone needs Node.js 22.15 or newer; this is \${process.version}.\\n\`);
  process.exitCode = 2;
} else await import('./main.js');
`;

/** Paths of the written packages. */
interface PackedPackages {
  readonly cli: string;
  readonly guard: string;
  /** File for the MCP registry; null if no service was given. */
  readonly registryEntry: string | null;
}

/**
 * Writes the packages that are published: the command line and the guard. They need no other package.
 *
 * @param outDir folder for the packages; existing packages in it are replaced
 * @param service URL of the service that the registry entry names. Without it, the command line has no `mcpName`, and no
 *   registry entry is written
 * @throws Error if `service` is not the HTTPS origin of a public host
 */
export async function packPackages(outDir: string, service?: string): Promise<PackedPackages> {
  if (service !== undefined) assertPublicOrigin(service);
  const cli = createFolder(outDir, 'cli');
  const guard = createFolder(outDir, 'guard');
  await Promise.all([packCli(cli, service), packGuard(guard)]);
  return { cli, guard, registryEntry: writeRegistryEntry(outDir, cli, service) };
}

function createFolder(outDir: string, name: string): string {
  const folder = join(outDir, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'dist'), { recursive: true });
  return folder;
}

async function packCli(target: string, service: string | undefined): Promise<void> {
  const source = join(ROOT, 'apps/cli');
  const entry = join(source, 'src/main.ts');
  const outDir = join(target, 'dist');
  const modules = await writeBundle({ entry, entryName: 'main.js', outDir, platform: 'node' });
  const start = join(outDir, 'touchstone.js');
  writeFileSync(start, START);
  chmodSync(start, 0o755);
  writeManifest(source, target, {
    // The CLI uses getCACertificates() of node:tls.
    engines: { node: '^22.15.0 || >=23.10.0' },
    bin: { touchstone: 'dist/touchstone.js' },
    files: ['dist', LICENSES_FILE],
    // The registry accepts an entry only if its npm package has the same name.
    ...(service === undefined ? {} : { mcpName: toServerName(service) }),
  });
  writeDocuments(source, target, modules);
}

async function packGuard(target: string): Promise<void> {
  const source = join(ROOT, 'libs/guard');
  const entry = join(source, 'src/index.ts');
  const outDir = join(target, 'dist');
  const modules = await writeBundle({ entry, entryName: 'index.js', outDir, platform: 'neutral' });
  writeDeclarations(entry, join(source, 'src'), outDir);
  writeManifest(source, target, {
    // The guard uses Ed25519 in Web Crypto, which Node 20 has.
    engines: { node: '>=20' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist', LICENSES_FILE],
    sideEffects: false,
  });
  writeDocuments(source, target, modules);
}

function writeDocuments(source: string, target: string, modules: readonly string[]): void {
  copyFileSync(join(source, 'README.md'), join(target, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'));
  writeFileSync(join(target, LICENSES_FILE), collectLicenses(modules));
}
