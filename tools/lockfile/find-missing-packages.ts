/** The fields of package-lock.json (lockfileVersion 3) that are used here. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface MissingPackage {
  readonly name: string;
  readonly version: string;
  /** Lockfile path of the package that requires it, such as `node_modules/next`. */
  readonly neededBy: string;
}

/**
 * Finds optional packages that a locked package requires and that are not locked themselves. npm omits them when its
 * registry does not offer them; `npm ci` then rejects the lockfile on every machine.
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

/** Returns the folders in which Node searches for a package's dependencies: `a/node_modules/b/`, `a/`, and the root. */
function listSearchFolders(path: string): readonly string[] {
  const folders = [''];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
    folders.push(path.slice(0, end + 1));
  return path === '' ? folders : [...folders, `${path}/`];
}
