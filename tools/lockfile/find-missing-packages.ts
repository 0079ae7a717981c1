/** Fields of package-lock.json (lockfileVersion 3) that this folder uses. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface LockedPackage {
  readonly version?: string;
  /** Hash of the package file, such as `sha512-…`. npm refuses to install a file with another hash. */
  readonly integrity?: string;
  /** True for a link to a package of this repository. */
  readonly link?: boolean;
  /** True for a package inside the file of another package, whose hash covers it. */
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface MissingPackage {
  readonly name: string;
  readonly version: string;
  /** Lockfile path of the package that requires the missing package, such as `node_modules/next`. */
  readonly neededBy: string;
}

/**
 * Finds optional packages that are missing in the lockfile, although a locked package requires them. npm omits packages
 * that its registry does not offer. `npm ci` then rejects the lockfile on every machine.
 */
export function findMissingPackages({ packages }: Lockfile): readonly MissingPackage[] {
  return Object.entries(packages).flatMap(([neededBy, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(
        ([name]) =>
          !listSearchFolders(neededBy).some((folder) => `${folder}node_modules/${name}` in packages),
      )
      .map(([name, version]) => ({ name, version, neededBy })),
  );
}

/**
 * Returns the folders in which Node searches for the dependencies of a package: `a/node_modules/b/`, `a/`, and the
 * root.
 */
function listSearchFolders(path: string): readonly string[] {
  const folders = [''];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
    folders.push(path.slice(0, end + 1));
  return path === '' ? folders : [...folders, `${path}/`];
}
