import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Programs of an installation, and the libraries that they use. The command line documents its variables in `--help`. */
const FOLDERS = ['apps/service/src', 'apps/web/src', 'apps/sandbox/src', 'libs/*/src', 'supabase/functions'];

/** Expression that reads an environment variable, such as `process.env.PORT` or `environment['PORT']`. */
const ACCESS = /\b(?:process\.env|env|environment|variables)(?:\?\.|\.|\[')([A-Z][A-Z0-9_]+)/g;

/** Key of a schema for environment variables, such as `PORT: wholeNumber(1, 65_535)`. */
const SCHEMA_KEY = /^\s+([A-Z][A-Z0-9_]+): (?=[a-z])/gm;

/** Module with schemas of environment variables, by its path or its text. */
const CONFIG_PATH = /\/config(?:\.ts$|\/)/;
const PARSES_ENVIRONMENT = /arse\((?:process\.)?env(?:ironment)?\b/;

/** Variable that the code reads, with one of the files. */
export interface ReadVariable {
  readonly name: string;
  readonly file: string;
}

/** Lists the environment variables that the source files in `FOLDERS` read. Tests and their helpers are excluded. */
export function listReadVariables(): readonly ReadVariable[] {
  const files = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }));
  const found = files
    .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
    .flatMap((file) =>
      findVariables(file, readFileSync(`${root}${file}`, 'utf8')).map((name) => ({ name, file })),
    );
  return [...new Map(found.map((variable) => [variable.name, variable])).values()];
}

/** Finds the names of the environment variables that a module reads, from the text of the module. */
function findVariables(file: string, text: string): readonly string[] {
  const hasSchema = CONFIG_PATH.test(file) || PARSES_ENVIRONMENT.test(text);
  const patterns = hasSchema ? [ACCESS, SCHEMA_KEY] : [ACCESS];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
}
