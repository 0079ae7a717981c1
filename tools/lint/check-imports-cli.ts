import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkFile, type Manifest, type Package } from './check-imports.ts';

/** Checks the imports of every source file. `npm run lint` runs this program before oxlint. */
const root = fileURLToPath(new URL('../..', import.meta.url));
// The cast is safe, because npm reads the same members.
const readManifest = (path: string): Manifest =>
  JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
const rootManifest = readManifest('package.json');
const packages: readonly Package[] = list(['{apps,libs}/*/package.json']).map((path) => ({
  folder: path.replace(/\/package\.json$/, ''),
  manifest: readManifest(path),
}));
// The glob function of Node skips folders whose name begins with a dot, so `.well-known` has a separate pattern.
const sources = list([
  'apps/web/src/app/.well-known/**/*.{ts,tsx}',
  '{apps,bench,libs,supabase,tools}/**/*.{ts,tsx,mts,js,mjs}',
  '*.{ts,js}',
]);
const problems = sources.flatMap((path) => {
  const owner = packages.find(({ folder }) => path.startsWith(`${folder}/`));
  const source = readFileSync(join(root, path), 'utf8');
  return checkFile({ path, source, rootManifest, ...(owner === undefined ? {} : { owner }) });
});
for (const problem of problems) console.error(problem);
console.log(`Imports of ${sources.length} files checked, ${problems.length} problems.`);
process.exitCode = problems.length > 0 ? 1 : 0;

function list(patterns: string[]): readonly string[] {
  const exclude = ['**/node_modules', '**/.next', '**/.touchstone', '**/dist', 'apps/web/public/*.js'];
  return globSync(patterns, { cwd: root, exclude }).map((path) => path.replaceAll('\\', '/'));
}
