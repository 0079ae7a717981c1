import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';

/** Path of a TypeScript module in an import of a declaration file. */
const MODULE_PATH = /(\bfrom |\bimport\()(["'])(\.{1,2}\/[^"']+)\.ts\2/g;

/**
 * Writes the declarations (.d.ts) of a module and of the modules that it imports.
 *
 * @param entry path of the module
 * @param rootDir folder of all these modules
 * @throws Error with the first type error
 */
export function writeDeclarations(entry: string, rootDir: string, outDir: string): void {
  const program = ts.createProgram([entry], {
    declaration: true,
    emitDeclarationOnly: true,
    rootDir,
    outDir,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    // Fetch, Web Crypto and timers are the same in browsers and in Node.js, so these types are enough for both.
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  });
  const { diagnostics } = program.emit(undefined, (path, text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replace(MODULE_PATH, '$1$2$3.js$2'));
  });
  const [error] = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (error === undefined) return;
  const where = error.file?.fileName ?? entry;
  throw new Error(`${where}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`);
}
