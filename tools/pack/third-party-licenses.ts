import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPackageFolders, readInstalledPackage, type InstalledPackage } from './installed-package.ts';

/** Standard texts of licenses, for packages that name their license without including its text. */
const STANDARD_TEXTS = new URL('licenses/', import.meta.url);
const LICENSE_FILE = /^(licen[cs]e|copying|notice|third.?party)/i;

/**
 * Collects the licenses of the packages to which some modules belong. Modules of this repository are left out.
 *
 * @param modules paths of modules
 * @returns one text with the license of each package
 * @throws Error for a package without a known license
 */
export function collectLicenses(modules: readonly string[]): string {
  const sections = listPackageFolders(modules).map(formatPackage).toSorted();
  return sections.join('\n');
}

function formatPackage(folder: string): string {
  const described = readInstalledPackage(folder);
  const title = `${described.name} ${described.version}`;
  return `${title}\n${'='.repeat(title.length)}\n\n${readLicense(folder, described)}\n`;
}

function readLicense(folder: string, { name, license = 'none', author }: InstalledPackage): string {
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  if (files.length > 0)
    return files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  const standard = new URL(`${license}.txt`, STANDARD_TEXTS);
  if (!existsSync(standard))
    throw new Error(
      `${name} has no license file, and its license (${license}) has no text in tools/pack/licenses. Add the text.`,
    );
  const holder = typeof author === 'object' ? author.name : author;
  return `Copyright (c) ${holder ?? `the authors of ${name}`}\n\n${readFileSync(standard, 'utf8').trim()}`;
}
