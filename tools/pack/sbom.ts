import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';

/** The parts of an entry of package-lock.json that a list of packages needs. */
interface LockEntry {
  readonly version?: string;
  /** Name of the package, if it differs from its folder. */
  readonly name?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  /** True for a package whose source is a folder of this repository. The entry links to that folder. */
  readonly link?: boolean;
}

/** Entries of a package-lock.json by their path, such as `node_modules/zod`. */
export type LockEntries = Readonly<Record<string, LockEntry>>;

/** Package for which a bill of materials is written. */
export interface DescribedPackage {
  readonly name: string;
  readonly version: string;
  /** Type of the described software in CycloneDX. */
  readonly type: 'application' | 'library';
  /** Paths in package-lock.json of the third-party packages that it contains. */
  readonly paths: readonly string[];
}

/** Component of a bill of materials. */
interface Component {
  readonly name: string;
  /** Package URL, such as `pkg:npm/%40x402/core@2.27.0`. */
  readonly purl: string;
}

/** The parts of a CycloneDX document that this module changes or reads. */
interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

/** Reads the entries of the lockfile in a folder. */
export function readLockEntries(root: string): LockEntries {
  // npm writes this member in every lockfile of version 3.
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: LockEntries };
  return lock.packages;
}

/**
 * Lists the paths of the third-party packages that production needs. The list starts with the dependencies of the root
 * and of all workspaces, and continues with the dependencies of each listed package.
 *
 * - Optional dependencies are included for all platforms, because one list describes the installations on all of them.
 * - Required peer dependencies are included, because npm installs them.
 * - Optional peer dependencies are included only if another production package requires them. The lockfile also contains
 *   some that only development requires, such as Vite. `npm ci --omit=dev` installs most of them, but production works
 *   without them.
 */
export function listProductionPaths(entries: LockEntries): readonly string[] {
  const workspaces = Object.keys(entries).filter((path) => !path.includes('node_modules/'));
  const paths = new Set(workspaces);
  // The iteration includes the paths that are added during it.
  for (const path of paths)
    for (const name of listRequiredNames(entries[path])) {
      const found = findDependency(entries, path, name);
      if (found !== null) paths.add(found);
    }
  return [...paths].filter((path) => path.includes('node_modules/') && entries[path]?.link !== true);
}

/** Lists the names of the packages that npm installs for a package in production. */
function listRequiredNames(entry: LockEntry = {}): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = entry;
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => peerDependenciesMeta[name]?.optional !== true,
  );
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/**
 * Finds the path of a dependency in the nearest `node_modules` folder, beginning in the given folder and continuing
 * upward, as npm does.
 *
 * @returns null if the lockfile lacks the dependency
 */
function findDependency(entries: LockEntries, folder: string, name: string): string | null {
  const path = posix.join(folder, 'node_modules', name);
  if (path in entries) return path;
  const parent = posix.dirname(folder);
  return parent === folder ? null : findDependency(entries, parent, name);
}

/** Formats a package as `name@version`. */
function formatPackage(path: string, { name, version = '' }: LockEntry): string {
  return `${name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;
}

/**
 * Writes a software bill of materials (SBOM) in CycloneDX format with `npm sbom`.
 *
 * In this repository, `npm sbom --omit dev` leaves out each production dependency that is a development dependency of
 * another workspace. Without the option it fails, because of optional peer dependencies. So it gets a lockfile that
 * contains only the given packages.
 *
 * A component has the license that the lockfile states. The lockfile states no license for a package of another platform
 * that the registry did not offer.
 *
 * @throws Error if the list of npm lacks one of the packages
 */
export async function writeSbom(
  file: string,
  described: DescribedPackage,
  entries: LockEntries,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-sbom-'));
  try {
    writeProject(folder, described, entries);
    const format = ['--sbom-format', 'cyclonedx', '--sbom-type', described.type];
    const args = ['sbom', ...format, '--package-lock-only', '--prefix', folder];
    const { stdout } = await promisify(execFile)('npm', args, {
      cwd: folder,
      shell: process.platform === 'win32',
      maxBuffer: 64 * 1024 * 1024,
    });
    const sbom = restoreNames(described, stdout);
    const missing = findMissing(sbom, described, entries);
    if (missing.length > 0) throw new Error(`The SBOM of ${described.name} lacks ${missing.join(', ')}.`);
    writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a project whose dependencies are the given packages. Each has an alias, because two can have one name. */
function writeProject(
  folder: string,
  { name, version, paths }: DescribedPackage,
  entries: LockEntries,
): void {
  const aliased = paths.map((path, index) => {
    const { version: packageVersion, resolved, integrity, license } = entries[path] ?? {};
    const entry = { version: packageVersion, resolved, integrity, license };
    return { alias: `package-${String(index)}`, entry, id: formatPackage(path, entries[path] ?? {}) };
  });
  const dependencies = Object.fromEntries(aliased.map(({ alias, id }) => [alias, `npm:${id}`]));
  const project = { name, version, dependencies };
  const installed = aliased.map(({ alias, entry, id }) => [
    `node_modules/${alias}`,
    { name: id.slice(0, id.lastIndexOf('@')), ...entry },
  ]);
  const packages = { '': project, ...(Object.fromEntries(installed) as LockEntries) };
  const write = (fileName: string, content: unknown) =>
    writeFileSync(join(folder, fileName), JSON.stringify(content));
  write('package.json', project);
  write('package-lock.json', { name, version, lockfileVersion: 3, requires: true, packages });
}

/** Replaces the folder names, which npm takes as names, with the names of the packages. */
function restoreNames({ name }: DescribedPackage, text: string): Sbom {
  // `npm sbom` writes these members, and each component has a package URL.
  const sbom = JSON.parse(text) as Sbom;
  const { component } = sbom.metadata;
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: { ...component, name } },
    components: sbom.components.map((each) => ({ ...each, name: readPackage(each).replace(/@[^@]*$/, '') })),
  };
}

/** Reads `name@version` from the package URL of a component. */
function readPackage({ purl }: Component): string {
  return decodeURIComponent(purl.replace(/^pkg:npm\/|\?.*$/g, ''));
}

/** Finds the packages that a bill of materials does not list with name and version. */
function findMissing(
  { components }: Sbom,
  { paths }: DescribedPackage,
  entries: LockEntries,
): readonly string[] {
  const listed = new Set(components.map(readPackage));
  return paths.map((path) => formatPackage(path, entries[path] ?? {})).filter((id) => !listed.has(id));
}
