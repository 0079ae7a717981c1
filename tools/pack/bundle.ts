import { isBuiltin } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';

interface BundleOptions {
  /** Path of the entry module of the bundle. */
  readonly entry: string;
  /** File name of the entry in the bundle. */
  readonly entryName: string;
  readonly outDir: string;
  /**
   * `node`: the bundle may import modules of Node.js. `neutral`: the bundle imports no modules, so it also runs in
   * browsers.
   */
  readonly platform: 'node' | 'neutral';
}

/** Calls of `require` that remain in the bundle of a CommonJS module. */
const REQUIRE_CALL = /\b__require\("([^"]+)"\)/g;

/**
 * Writes a program and everything that it imports as ES modules.
 *
 * @returns the paths of the included modules
 * @throws Error when the bundle would still need another package
 */
export async function writeBundle({
  entry,
  entryName,
  outDir,
  platform,
}: BundleOptions): Promise<readonly string[]> {
  const bundle = await rolldown({
    input: entry,
    platform,
    tsconfig: false,
    plugins: [createMergePlugin()],
    // This warning is switched off, because it depends on the load of the machine. Every other warning stops the build.
    checks: { bundlerTimings: false },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`The bundle of ${entry} has a warning: ${log.message}`);
    },
  });
  try {
    const options = {
      dir: outDir,
      format: 'esm',
      entryFileNames: entryName,
      chunkFileNames: '[name].js',
      // The declarations have the documentation.
      comments: { jsdoc: false },
    } as const;
    const { output } = await bundle.write(options);
    const chunks = output.filter((file) => file.type === 'chunk');
    assertComplete(chunks, platform);
    return chunks.flatMap(({ moduleIds }) => moduleIds);
  } finally {
    await bundle.close();
  }
}

function assertComplete(chunks: readonly OutputChunk[], platform: BundleOptions['platform']): void {
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const needed = chunks.flatMap(({ imports, dynamicImports, code }) => [
    ...[...imports, ...dynamicImports].filter((name) => !own.has(name)),
    ...Array.from(code.matchAll(REQUIRE_CALL), ([, name = '']) => name),
  ]);
  const missing = needed.filter((name) => platform === 'neutral' || !isBuiltin(name));
  if (missing.length > 0)
    throw new Error(
      `The bundle must contain everything that it uses; it still imports ${missing.join(', ')}.`,
    );
}

/** Pattern of an import of a package, not of a file. */
const PACKAGE_NAME = /^[^./\\\0]/;

/**
 * Creates a plugin that includes each version of a package once. npm installs some packages into the folder of each
 * package that uses them, and a bundle would contain each of these copies.
 */
function createMergePlugin(): Plugin {
  const folders = new Map<string, string>();
  return {
    name: 'merge-copies',
    resolveId: {
      filter: { id: PACKAGE_NAME },
      async handler(name, importer) {
        const resolved = await this.resolve(name, importer, { skipSelf: true });
        const folder =
          resolved === null || resolved.external !== false ? null : findPackageFolder(resolved.id);
        if (resolved === null || folder === null) return resolved;
        const { name: packageName, version } = readInstalledPackage(folder);
        const key = `${packageName}@${version}`;
        const kept = folders.get(key) ?? folder;
        folders.set(key, kept);
        return { ...resolved, id: kept + resolved.id.slice(folder.length) };
      },
    },
  };
}

/** Members of the package.json of an installed package that the pack tool reads. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX id of the license. */
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

/** Path of an installed package, at the beginning of the path of one of its files. */
const PACKAGE_PATH = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

/** Returns the folder of the installed package that contains a file; null for a file of this repository. */
function findPackageFolder(path: string): string | null {
  return PACKAGE_PATH.exec(path)?.[0] ?? null;
}

/** Lists the folders of the installed packages to which some modules belong, each folder once. */
export function listPackageFolders(modules: readonly string[]): readonly string[] {
  return [...new Set(modules.flatMap((path) => findPackageFolder(path) ?? []))];
}

export function readInstalledPackage(folder: string): InstalledPackage {
  // npm installs only packages whose package.json has a name and a version.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as InstalledPackage;
}
