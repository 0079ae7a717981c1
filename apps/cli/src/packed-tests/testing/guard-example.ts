import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));
const DOCUMENT = join(ROOT, 'docs/guard.md');
/** Packages that the first example of the document installs in addition to the guard. */
const PACKAGES = ['@x402/fetch', '@x402/evm', 'viem'];

/**
 * Installs the packages of the first example of `docs/guard.md` in a project. Each package is a link to the package in
 * this repository.
 */
export function linkExamplePackages(project: string): void {
  for (const name of PACKAGES) {
    const link = join(project, 'node_modules', name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link, 'junction');
  }
}

/** Reads the first TypeScript example of `docs/guard.md` as JavaScript, with the URL of another service. */
export function readGuardExample(service: string): string {
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(example, { compilerOptions });
  return outputText.replace('https://touchstone.example', service);
}
