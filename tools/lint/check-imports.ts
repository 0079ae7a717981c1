import { posix } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import {
  allowedImports,
  allowedTestImports,
  pureLibraries,
  purePackages,
  reservedLibraries,
  sharedFiles,
} from './import-table.ts';

export interface Package {
  /** Folder relative to the repository, such as `libs/store`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Members of a package.json that name dependencies. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const OWN_SCOPE = '@touchstone/';

const testFile = /\.test\.tsx?$|\/testing\/|\/test-[^/]*\.ts$|^apps\/web-e2e\//;

function listDependencies(manifest: Manifest): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = manifest;
  return [dependencies, optionalDependencies, peerDependencies, devDependencies].flatMap((group) =>
    Object.keys(group ?? {}),
  );
}

/** Source file, and the package.json files that list its possible imports. */
interface SourceFile {
  /** Path relative to the repository, with `/`. */
  readonly path: string;
  readonly source: string;
  /** Package that contains the file; undefined for `bench`, `supabase` and `tools`. */
  readonly owner?: Package;
  readonly rootManifest: Manifest;
}

/**
 * Checks the imports of a source file. In pure packages, also checks for forbidden expressions.
 *
 * @returns One sentence for each violation. The sentence begins with the path and the line.
 */
export function checkFile({ path, source, owner, rootManifest }: SourceFile): readonly string[] {
  const { imports, impurities, disablingComments } = parseModule(path, source);
  const problems: { readonly line: number; readonly message: string }[] = disablingComments.map(
    ({ line }) => ({
      line,
      message: 'Comments cannot switch off lint rules. Change .oxlintrc.json instead.',
    }),
  );
  if (owner !== undefined) {
    const isTest = testFile.test(path);
    const isPure = !isTest && purePackages.includes(posix.basename(owner.folder));
    if (isPure) problems.push(...impurities);
    const check = createImportCheck({ path, owner, rootManifest, isTest, isPure });
    for (const { line, specifier } of imports) {
      const message = check(specifier);
      if (message !== undefined) problems.push({ line, message });
    }
  }
  return problems.map(({ line, message }) => `${path}:${line}: ${message}`);
}

interface ImportContext {
  readonly path: string;
  readonly owner: Package;
  readonly rootManifest: Manifest;
  readonly isTest: boolean;
  readonly isPure: boolean;
}

function createImportCheck({ path, owner, rootManifest, isTest, isPure }: ImportContext) {
  const name = posix.basename(owner.folder);
  const allowed = [...(allowedImports[name] ?? []), ...(isTest ? (allowedTestImports[name] ?? []) : [])];
  const declared = new Set([...listDependencies(owner.manifest), ...listDependencies(rootManifest)]);
  return (specifier: ModuleImport['specifier']): string | undefined => {
    if (specifier.startsWith('.')) {
      const target = posix.join(posix.dirname(path), specifier);
      return target.startsWith(`${owner.folder}/`) || sharedFiles.includes(target)
        ? undefined
        : `${specifier} is a file of another package. Import the package by its name.`;
    }
    const library = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
    if (!isTest && specifier.startsWith(OWN_SCOPE) && /\/testing(?:\/|$)/.test(specifier))
      return `Only tests may import ${specifier}.`;
    if (library.startsWith(OWN_SCOPE)) {
      if (!allowed.includes(library.slice(OWN_SCOPE.length))) return `${name} must not import ${library}.`;
    } else if (isPure && !pureLibraries.includes(library)) {
      return `The pure package ${name} must not import ${specifier}.`;
    }
    const reserved = reservedLibraries.find(({ name: pattern }) => pattern.test(library));
    if (reserved !== undefined && reserved.owner !== name) {
      return `Only ${reserved.owner} may import ${library}.`;
    }
    const isDeclared = specifier.startsWith('node:') || declared.has(library);
    return isDeclared ? undefined : `${library} is missing in ${owner.folder}/package.json.`;
  };
}

/** Place in a module: a line number, which begins with 1. */
interface Located {
  readonly line: number;
}

/** Import or re-export of a module. */
interface ModuleImport extends Located {
  readonly specifier: string;
}

interface ParsedModule {
  readonly imports: readonly ModuleImport[];
  /** Expressions that a pure package must not contain. oxlint has no rule for these expressions. */
  readonly impurities: readonly (Located & { readonly message: string })[];
  /** Comments that switch off rules of oxlint. */
  readonly disablingComments: readonly Located[];
}

/** Parses a JavaScript or TypeScript module. Throws an error when the module has a syntax error. */
function parseModule(path: string, source: string): ParsedModule {
  const { program, module, comments, errors } = parseSync(path, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`);
  const toLine = (offset: number): number => source.slice(0, offset).split('\n').length;
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest ?? [])),
  ];
  const imports = requests.map(({ value, start }) => ({ specifier: value, line: toLine(start) }));
  const impurities: { message: string; line: number }[] = module.importMetas.map(({ start }) => ({
    message: 'A pure package must not depend on its own location.',
    line: toLine(start),
  }));
  const refuseClock = (node: { readonly start: number }): void => {
    impurities.push({
      message: 'A pure package has no clock: take the time as an argument.',
      line: toLine(node.start),
    });
  };
  new Visitor({
    ImportExpression({ source: { start }, source: imported }) {
      const line = toLine(start);
      impurities.push({ message: 'A pure package imports statically.', line });
      if (imported.type === 'Literal' && typeof imported.value === 'string') {
        imports.push({ specifier: imported.value, line });
      }
    },
    NewExpression(node) {
      if (isDate(node.callee) && node.arguments.length === 0) refuseClock(node);
    },
    CallExpression(node) {
      if (isDate(node.callee)) refuseClock(node);
    },
  }).visit(program);
  const disablingComments = comments
    .filter(({ value }) => /^\W*(oxlint|eslint)-(disable|enable)/.test(value))
    .map(({ start }) => ({ line: toLine(start) }));
  return { imports, impurities, disablingComments };
}

function isDate(callee: { readonly type: string; readonly name?: unknown }): boolean {
  return callee.type === 'Identifier' && callee.name === 'Date';
}
