import { findMissingPackages, type LockedPackage, type Lockfile } from './find-missing-packages.ts';
import { parsePlatform } from './parse-platform.ts';

/**
 * Adds the missing optional packages (see find-missing-packages.ts) to a lockfile, in the required version. The entries
 * have no integrity hash, because only a registry that offers the packages knows it.
 *
 * @returns The completed lockfile, its packages in npm's order.
 * @throws When a package's name does not contain its platform: without one npm would install it everywhere.
 */
export function completeLockfile<Locked extends Lockfile>(lockfile: Locked): Locked {
  const added = findMissingPackages(lockfile).map(({ name, version, neededBy }) => {
    const platform = parsePlatform(name);
    if (platform === null)
      throw new Error(`The name of ${name}, which ${neededBy} needs, contains no platform`);
    const entry: LockedPackage = { version, ...platform, optional: true };
    const dev = lockfile.packages[neededBy]?.dev === true;
    return [`node_modules/${name}`, dev ? { ...entry, dev } : entry] satisfies [string, LockedPackage];
  });
  const entries: [string, LockedPackage][] = [...Object.entries(lockfile.packages), ...added];
  entries.sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lockfile, packages: Object.fromEntries(entries) };
}
