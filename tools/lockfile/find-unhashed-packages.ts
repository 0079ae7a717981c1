import type { Lockfile } from './find-missing-packages.ts';

/**
 * Finds installed packages that have no integrity hash in a lockfile. npm would install any file under their name and
 * version. Links, packages of this repository and bundled packages are not downloaded, so they need no hash.
 *
 * @returns Name and version of each package, such as `next@16.4.5`.
 */
export function findUnhashedPackages({ packages }: Lockfile): readonly string[] {
  return Object.entries(packages)
    .filter(
      ([path, { integrity, link, inBundle }]) =>
        path.includes('node_modules/') && link !== true && inBundle !== true && integrity === undefined,
    )
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version ?? 'unknown'}`);
}
