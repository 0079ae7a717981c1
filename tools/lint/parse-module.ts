import { parseSync, Visitor } from 'rolldown/utils';

/** Place in a module: a line number, which begins with 1. */
interface Located {
  readonly line: number;
}

/** Import or re-export of a module. */
export interface ModuleImport extends Located {
  readonly specifier: string;
}

export interface ParsedModule {
  readonly imports: readonly ModuleImport[];
  /** Expressions that a pure package must not contain, which oxlint has no rule for. */
  readonly impurities: readonly (Located & { readonly message: string })[];
  /** Comments that switch off rules of oxlint. */
  readonly disablingComments: readonly Located[];
}

/** Parses a JavaScript or TypeScript module. Throws an error when the module has a syntax error. */
export function parseModule(path: string, source: string): ParsedModule {
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
