import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRegistryEntry, toServerName } from '@touchstone/contract';
import { listPackageFolders, readInstalledPackage, writeBundle } from './bundle.ts';
import { createSbom, type DescribedSoftware, listLockedPackages, listProductionPackages } from './sbom.ts';
import { collectLicenses, readExports, writeDeclarations, writeManifest } from './package-files.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LICENSES_FILE = 'THIRD-PARTY-LICENSES.txt';

/**
 * Text of the file that starts the published command line. The file checks the version, because older versions of
 * Node.js cannot load `main.js`. It also adds `URL.parse()` and `Map.groupBy()`, because Node.js 20 lacks these
 * functions.
 */
const START = `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 18)) {
  process.stderr.write(\`touchstone needs Node.js 20.18 or newer; this is \${process.version}.\\n\`);
  process.exitCode = 2;
} else {
  URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
  Map.groupBy ??= (items, toKey) => {
    const groups = new Map();
    let index = 0;
    for (const item of items) {
      const key = toKey(item, index++);
      if (groups.has(key)) groups.get(key).push(item);
      else groups.set(key, [item]);
    }
    return groups;
  };
  await import('./main.js');
}
`;

/** Paths of the written packages. */
interface PackedPackages {
  readonly cli: string;
  readonly guard: string;
  /** File for the MCP registry; null if no service was given. */
  readonly registryEntry: string | null;
  /**
   * Paths of the software bills of materials in CycloneDX format: one document for each package, and one document for
   * all production dependencies of this repository.
   */
  readonly sboms: { readonly cli: string; readonly guard: string; readonly service: string };
}

/**
 * Writes the packages that are published: the command line and the guard. The published packages need no other package.
 *
 * @param outDir folder for the packages; existing packages in it are replaced
 * @param service URL of the service that the registry entry names. Without it, the command line has no `mcpName`, and
 * no registry entry is written
 * @throws Error if `service` is not the HTTPS origin of a public host
 */
export async function packPackages(outDir: string, service?: string): Promise<PackedPackages> {
  if (service !== undefined) assertPublicOrigin(service);
  const cli = createFolder(outDir, 'cli');
  const guard = createFolder(outDir, 'guard');
  const [cliModules, guardModules] = await Promise.all([packCli(cli, service), packGuard(guard)]);
  const sboms = await writeSboms(outDir, { cli, guard, cliModules, guardModules });
  return { cli, guard, registryEntry: writeRegistryEntry(outDir, cli, service), sboms };
}

interface Bundles {
  readonly cli: string;
  readonly guard: string;
  readonly cliModules: readonly string[];
  readonly guardModules: readonly string[];
}

async function writeSboms(
  outDir: string,
  { cli, guard, cliModules, guardModules }: Bundles,
): Promise<PackedPackages['sboms']> {
  const locked = await listLockedPackages(ROOT);
  const write = (
    fileName: string,
    [folder, type]: readonly [string, DescribedSoftware['type']],
    packages: ReadonlySet<string>,
  ): string => {
    const file = join(outDir, fileName);
    const { name, version } = readInstalledPackage(folder);
    const sbom = createSbom(locked, { name, version, type }, packages);
    writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
    return file;
  };
  return {
    cli: write('cli.cdx.json', [cli, 'application'], listPackages(cliModules)),
    guard: write('guard.cdx.json', [guard, 'library'], listPackages(guardModules)),
    service: write('service.cdx.json', [ROOT, 'application'], listProductionPackages(ROOT, locked)),
  };
}

/** Lists the packages to which bundled modules belong, with their versions. */
function listPackages(modules: readonly string[]): ReadonlySet<string> {
  const packages = listPackageFolders(modules).map(readInstalledPackage);
  return new Set(packages.map(({ name, version }) => `${name}@${version}`));
}

function createFolder(outDir: string, name: string): string {
  const folder = join(outDir, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'dist'), { recursive: true });
  return folder;
}

/** @returns paths of the bundled modules */
async function packCli(target: string, service: string | undefined): Promise<readonly string[]> {
  const source = join(ROOT, 'apps/cli');
  const entry = join(source, 'src/main.ts');
  const outDir = join(target, 'dist');
  const modules = await writeBundle({ entry, entryName: 'main.js', outDir, platform: 'node' });
  const start = join(outDir, 'touchstone.js');
  writeFileSync(start, START);
  chmodSync(start, 0o755);
  writeManifest(source, target, {
    engines: { node: '>=20.18' },
    bin: { touchstone: 'dist/touchstone.js' },
    files: ['dist', LICENSES_FILE],
    // The MCP registry accepts an entry only if `mcpName` of the npm package equals the name of the entry.
    ...(service === undefined ? {} : { mcpName: toServerName(service) }),
  });
  writeDocuments(source, target, modules);
  return modules;
}

/** Sub-paths of the guard that need Node.js. All others run in browsers, too. */
const NODE_SUB_PATHS = ['./file'];

/**
 * Writes one bundle for each entry of `exports` in the package.json of the guard, so that a browser that imports `.`
 * loads no other entry.
 *
 * @returns paths of the bundled modules
 */
async function packGuard(target: string): Promise<readonly string[]> {
  const source = join(ROOT, 'libs/guard');
  const outDir = join(target, 'dist');
  const modules: string[] = [];
  const exports: Record<string, { readonly types: string; readonly default: string }> = {};
  for (const [subPath, file] of Object.entries(readExports(source))) {
    const entry = join(source, file);
    const platform = NODE_SUB_PATHS.includes(subPath) ? 'node' : 'neutral';
    const entryName = subPath === '.' ? 'index.js' : `${subPath.slice(2)}.js`;
    modules.push(...(await writeBundle({ entry, entryName, outDir, platform })));
    writeDeclarations(entry, { folder: join(source, 'src'), outDir, platform });
    const types = `./dist/${relative('src', file).replace(/\.ts$/, '.d.ts')}`;
    exports[subPath] = { types, default: `./dist/${entryName}` };
  }
  writeManifest(source, target, {
    // The guard uses Ed25519 in Web Crypto. Node 20 supports Ed25519.
    engines: { node: '>=20' },
    exports,
    files: ['dist', LICENSES_FILE],
    sideEffects: false,
  });
  writeDocuments(source, target, modules);
  return modules;
}

function writeDocuments(source: string, target: string, modules: readonly string[]): void {
  copyFileSync(join(source, 'README.md'), join(target, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'));
  writeFileSync(join(target, LICENSES_FILE), collectLicenses(modules));
}

/**
 * Writes `server.json`. An operator uses this file to publish a service in the MCP registry. Without a service, an
 * existing file is removed, because it would not match the package, which then has no `mcpName`.
 *
 * @param cli folder of the packed command line
 * @returns path of the file; null without a service
 */
function writeRegistryEntry(outDir: string, cli: string, service: string | undefined): string | null {
  const file = join(outDir, 'server.json');
  if (service === undefined) {
    rmSync(file, { force: true });
    return null;
  }
  const entry = createRegistryEntry(service, readInstalledPackage(cli).version);
  writeFileSync(file, `${JSON.stringify(entry, null, 2)}\n`);
  return file;
}

/**
 * @throws Error if the text is not the HTTPS origin of a host with a domain name; the name in the registry needs a
 * domain
 */
function assertPublicOrigin(service: string): void {
  const url = URL.parse(service);
  const isOrigin = url?.protocol === 'https:' && url.href === `${url.origin}/`;
  if (isOrigin && /\.[a-z][a-z0-9-]*$/.test(url.hostname)) return;
  throw new Error(
    `--service must be the origin of a public service, such as https://touchstone.example; received ${service}.`,
  );
}

/** Program of `npm run pack [-- folder] [-- --service URL]`. The default folder is `dist/packages`. */
async function main(): Promise<void> {
  const options = { service: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const packed = await packPackages(positionals[0] ?? join(ROOT, 'dist/packages'), values.service);
  console.log(`Wrote ${packed.cli} and ${packed.guard}. To publish one: npm publish <folder>`);
  console.log(`Wrote ${Object.values(packed.sboms).join(', ')}: software bills of materials (CycloneDX)`);
  if (packed.registryEntry === null)
    console.log('For the MCP registry: npm run pack -- --service https://<host>');
  else console.log(`Wrote ${packed.registryEntry}. To publish it in the MCP registry: mcp-publisher publish`);
}

if (import.meta.main) await main();
