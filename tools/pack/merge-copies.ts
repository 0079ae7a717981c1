import type { Plugin } from 'rolldown';
import { findPackageFolder, readInstalledPackage } from './installed-package.ts';

/** Imports of packages, not of files. */
const PACKAGE_NAME = /^[^./\\\0]/;

/**
 * Creates a plugin that includes each version of a package once. npm installs some packages into the folder of each
 * package that uses them, and a bundle would contain each of these copies.
 */
export function createMergePlugin(): Plugin {
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
