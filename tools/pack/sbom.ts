import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Software that a bill of materials describes. */
export interface DescribedSoftware {
  readonly name: string;
  readonly version: string;
  /** Type of the software in CycloneDX. */
  readonly type: 'application' | 'library';
}

/** The parts of a CycloneDX document that this module changes or reads. */
interface Sbom {
  readonly metadata: { readonly component: object };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The parts of an entry of package-lock.json that this module reads. */
interface LockEntry {
  readonly version?: string;
  readonly name?: string;
  readonly dev?: boolean;
  /** True for a package whose source is a folder of this repository. */
  readonly link?: boolean;
}

/**
 * Lists all packages in the package-lock.json of a folder with `npm sbom`, including the packages for other platforms.
 *
 * `npm sbom --omit dev` cannot select the packages of production here: it leaves out each package that is a development
 * dependency of any workspace, such as Next.js. Without `--legacy-peer-deps` npm fails, because the versions of some
 * optional peer dependencies differ.
 */
export async function listLockedPackages(root: string): Promise<Sbom> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--legacy-peer-deps'];
  const { stdout } = await promisify(execFile)('npm', args, {
    cwd: root,
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  });
  // `npm sbom` writes these members.
  return JSON.parse(stdout) as Sbom;
}

/**
 * Creates the bill of materials of one software.
 *
 * @param locked all packages, of `listLockedPackages`
 * @param packages packages that the software contains, such as `zod@4.6.7`
 * @throws Error if a package is not locked
 */
export function createSbom(
  locked: Sbom,
  { name, version, type }: DescribedSoftware,
  packages: ReadonlySet<string>,
): Sbom {
  const ref = `${name}@${version}`;
  const components = locked.components.filter((component) => packages.has(component['bom-ref']));
  const listed = new Set(components.map((component) => component['bom-ref']));
  const missing = [...packages].filter((id) => !listed.has(id));
  if (missing.length > 0) throw new Error(`package-lock.json has no entry for ${missing.join(', ')}.`);
  const dependencies = locked.dependencies.filter((dependency) => listed.has(dependency.ref));
  return {
    ...locked,
    metadata: { ...locked.metadata, component: { 'bom-ref': ref, type, name, version } },
    components,
    dependencies: [
      { ref, dependsOn: [...listed] },
      ...dependencies.map((each) => ({ ...each, dependsOn: each.dependsOn.filter((id) => listed.has(id)) })),
    ],
  };
}

/**
 * Lists the packages of `listLockedPackages` that production needs in a folder, on any platform. Packages that only fulfil
 * a peer dependency of another package are not listed: `npm sbom` does not find them, and the service works without them.
 */
export function listProductionPackages(root: string, locked: Sbom): ReadonlySet<string> {
  // npm writes this member in every lockfile of version 3.
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, LockEntry>>;
  };
  const production = new Set(
    Object.entries(lock.packages)
      .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
      .map(([path, { name, version = '' }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`),
  );
  const ids = locked.components.map((component) => component['bom-ref']);
  return new Set(ids.filter((id) => production.has(id)));
}
