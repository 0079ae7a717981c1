import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { type InstalledPackage, listPackageFolders, readInstalledPackage } from './bundle.ts';

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

/** Members of a workspace's package.json that the published package has, too. */
const SHARED_MEMBERS = ['name', 'version', 'description', 'keywords', 'license', 'type', 'engines'];

type Manifest = Readonly<Record<string, unknown>>;

/**
 * Writes the package.json of a published package. The file names no dependencies, because the bundle contains them.
 *
 * @param source folder of the workspace
 * @param own members that only the published package has, such as its files
 */
export function writeManifest(source: string, target: string, own: Manifest): void {
  const workspace = readManifest(source);
  const shared = Object.entries(workspace).filter(([name]) => SHARED_MEMBERS.includes(name));
  const manifest: Manifest = {
    ...Object.fromEntries(shared),
    ...own,
    // npm publishes packages with a scope only for paying members, unless this member is set.
    publishConfig: { access: 'public' },
  };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Returns the source file of each sub-path that a workspace exports. */
export function readExports(source: string): Readonly<Record<string, string>> {
  // Each workspace exports files by their paths.
  return readManifest(source)['exports'] as Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  // Every package.json is an object.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Path of a TypeScript module in an import of a declaration file. */
const MODULE_PATH = /(\bfrom |\bimport\()(["'])(\.{1,2}\/[^"']+)\.ts\2/g;

/** Import of another package of this repository. */
const OWN_PACKAGE = /["']@touchstone\//;

interface DeclarationOptions {
  /** Folder of all modules of the package. */
  readonly folder: string;
  readonly outDir: string;
  /** `node`: the modules use types of Node.js. */
  readonly platform: 'node' | 'neutral';
}

/**
 * Writes the declarations (.d.ts) of a package that is published as a bundle. Modules of other packages of this
 * repository have no declarations there, so no declaration may import these modules.
 *
 * @param entry path of the first module
 * @throws Error with the first type error, and for a declaration that imports another package of this repository
 */
export function writeDeclarations(entry: string, { folder, outDir, platform }: DeclarationOptions): void {
  const program = ts.createProgram([entry], {
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(folder, '../..'),
    outDir,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    // Fetch, Web Crypto and timers are the same in browsers and in Node.js, so these types are enough for both.
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: platform === 'node' ? ['node'] : [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  });
  const { diagnostics } = program.emit(undefined, (_, text, ...[, , sources]) => {
    const path = relative(folder, sources?.[0]?.fileName ?? '');
    if (path.startsWith('..')) return;
    if (OWN_PACKAGE.test(text))
      throw new Error(`The declarations of ${path} import another package: ${text}`);
    const target = join(outDir, path.replace(/\.ts$/, '.d.ts'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text.replace(MODULE_PATH, '$1$2$3.js$2'));
  });
  const [error] = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (error === undefined) return;
  const where = error.file?.fileName ?? entry;
  throw new Error(`${where}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`);
}
