import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Modules that start databases for tests. */
const START_DATABASES = new Set(['@touchstone/embedded/testing', '@touchstone/payment/testing']);
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/**
 * Finds the test files that import a module which starts databases, directly or through other files of the same package.
 * @param pattern glob of test files
 * @param root folder of the repository
 * @returns Paths relative to the root.
 */
export function findDatabaseTests(pattern: string, root: string): readonly string[] {
  return globSync(pattern, { cwd: root }).filter((file) => startsDatabase(join(root, file), new Set()));
}

function startsDatabase(file: string, visited: Set<string>): boolean {
  if (visited.has(file) || !existsSync(file)) return false;
  visited.add(file);
  const imports = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path = '']) => path);
  if (imports.some((path) => START_DATABASES.has(path))) return true;
  return imports.some((path) => path.startsWith('.') && startsDatabase(join(dirname(file), path), visited));
}
