/** The part of package-lock.json (lockfileVersion 3) that is read here. */
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
  /** Where the package that names it is locked, such as `node_modules/next`. */
  readonly neededBy: string;
}

/**
 * Finds optional packages that a locked package names and that are not locked themselves. npm leaves them out of the
 * lockfile when the registry it was written with does not offer them; `npm ci` then refuses the lockfile everywhere.
 */
export function missingPackages({ packages }: Lockfile): readonly MissingPackage[] {
  return Object.entries(packages).flatMap(([neededBy, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !placesToLook(neededBy).some((place) => `${place}node_modules/${name}` in packages))
      .map(([name, version]) => ({ name, version, neededBy })),
  );
}

/** A package's own folder, then those above it, as Node resolves: `a/node_modules/b/`, `a/`, and the root. */
function placesToLook(path: string): readonly string[] {
  const places = [''];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
    places.push(path.slice(0, end + 1));
  return path === '' ? places : [...places, `${path}/`];
}
