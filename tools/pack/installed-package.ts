import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of the package.json of an installed package that the pack tool reads. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX id of the license. */
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

/** Path of an installed package, at the beginning of the path of one of its files. */
const PACKAGE_PATH = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

/** Returns the folder of the installed package that contains a file; null for a file of this repository. */
export function findPackageFolder(path: string): string | null {
  return PACKAGE_PATH.exec(path)?.[0] ?? null;
}

/** Lists the folders of the installed packages to which some modules belong, each folder once. */
export function listPackageFolders(modules: readonly string[]): readonly string[] {
  return [...new Set(modules.flatMap((path) => findPackageFolder(path) ?? []))];
}

/** Reads the package.json of an installed package. */
export function readInstalledPackage(folder: string): InstalledPackage {
  // npm installs only packages whose package.json has a name and a version.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as InstalledPackage;
}
