import { missingPackages, type LockedPackage, type Lockfile } from './missing-packages.ts';
import { platformOf } from './platform-of.ts';

/**
 * Locks the optional packages that are missing (see missing-packages.ts), at the version that is asked for. They are
 * locked without an integrity hash, which only a registry that has them can tell.
 *
 * @returns The completed lockfile, its packages in npm's order.
 * @throws When a package's name does not tell its platform: locked without one it would be installed everywhere.
 */
export function completeLockfile<Locked extends Lockfile>(lockfile: Locked): Locked {
  const added = missingPackages(lockfile).map(({ name, version, neededBy }) => {
    const platform = platformOf(name);
    if (platform === null)
      throw new Error(`${name}, which ${neededBy} needs, does not tell its platform by its name`);
    const entry: LockedPackage = { version, ...platform, optional: true };
    const dev = lockfile.packages[neededBy]?.dev === true;
    return [`node_modules/${name}`, dev ? { ...entry, dev } : entry] satisfies [string, LockedPackage];
  });
  const entries: [string, LockedPackage][] = [...Object.entries(lockfile.packages), ...added];
  entries.sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lockfile, packages: Object.fromEntries(entries) };
}
