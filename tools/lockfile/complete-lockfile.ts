import { findMissingPackages, type LockedPackage, type Lockfile } from './find-missing-packages.ts';
import { parsePlatform } from './parse-platform.ts';

/**
 * Adds the missing optional packages to a lockfile, in the required version (see find-missing-packages.ts). The new
 * entries have no integrity hash, because only a registry with these packages could provide it.
 *
 * @returns The completed lockfile, with its packages in npm's order.
 * @throws When the name of a package does not contain a platform, because npm would then install it on every platform.
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
