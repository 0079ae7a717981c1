import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import {
  formatVariables,
  generateOperateDocument,
  listVariables,
  readOperateDocument,
  type Schema,
} from './environment.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Variables that operators do not set, each with the program that sets it. */
const SET_BY_PROGRAMS = new Map([
  ...['NODE_ENV', 'NEXT_RUNTIME'].map((name) => [name, 'Next'] as const),
  ['VERCEL', 'Vercel'],
  ['BUILT_AT', 'the build of the site'],
  ...['PRIVATE_KEY', 'WATCH_SECRET', 'FACILITATOR_URL'].map(
    (name) => [name, 'the reader of a code example'] as const,
  ),
  ...['EMBEDDED_DATA_DIR', 'EMBEDDED_PORT', 'EMBEDDED_PUBLISHABLE_KEY', 'EMBEDDED_SECRET_KEY'].map(
    (name) => [name, 'the service, for its database process'] as const,
  ),
  ...['EMBEDDER_PORT', 'EMBEDDER_MODEL_DIR'].map((name) => [name, 'tests of the embedder process'] as const),
]);

test('docs/operate.md has the current list of variables (if not, run npm run docs:environment)', async () => {
  expect(readOperateDocument()).toBe(await generateOperateDocument());
});

test('the documents contain each environment variable that the code reads', () => {
  const read = listReadVariables();
  expect(read.length).toBeGreaterThanOrEqual(50);
  const sandbox = readFileSync(new URL('../../apps/sandbox/README.md', import.meta.url), 'utf8');
  const documented = new Set(listVariables().map(({ name }) => name));
  const missing = read
    .filter(({ name }) => !documented.has(name) && !SET_BY_PROGRAMS.has(name))
    .filter(({ name, file }) => !(file.startsWith('apps/sandbox/') && sandbox.includes(`\`${name}\``)));
  expect(missing).toEqual([]);
});

/** Creates the schema of a variable with the given default. The variable is required if the default is undefined. */
function createSchema(defaultValue: string | undefined, description?: string): Schema {
  return {
    description,
    meta: () => ({ description }),
    safeParse: () =>
      defaultValue === undefined ? { success: false } : { success: true, data: defaultValue },
  };
}

describe('listVariables', () => {
  it('names the defaults of both programs if they differ', () => {
    const variables = listVariables({ MODE: createSchema('a', 'a|b') }, { MODE: createSchema('b') });
    expect(variables).toEqual([
      { name: 'MODE', default: '`a`; site: `b`', usedBy: 'service, site', meaning: 'a|b' },
    ]);
    expect(formatVariables(variables)).toBe('- **`MODE`** (service, site; default: `a`; site: `b`): a|b');
  });

  it('names a variable that only the site requires', () => {
    expect(listVariables({ KEY: createSchema('', 'key') }, { KEY: createSchema(undefined) })).toMatchObject([
      { default: 'none; site: required' },
    ]);
  });

  it('refuses a variable without a description, one with two, and unknown metadata', () => {
    const described = createSchema('', 'key');
    expect(() => listVariables({ KEY: createSchema('') }, {})).toThrow(
      'KEY: one schema must have a description',
    );
    expect(() => listVariables({ KEY: described }, { KEY: described })).toThrow('2 have one');
    const mistyped = { ...described, meta: () => ({ description: 'key', default: 'x' }) };
    expect(() => listVariables({ KEY: mistyped }, {})).toThrow('KEY: invalid metadata');
  });
});

/**
 * Folders of the programs of an installation, and of their libraries. The command line is not included, because
 * `--help` documents its variables.
 */
const FOLDERS = ['apps/service/src', 'apps/web/src', 'apps/sandbox/src', 'libs/*/src', 'supabase/functions'];

/** Expression that reads an environment variable, such as `process.env.PORT` or `environment['PORT']`. */
const ACCESS = /\b(?:process\.env|env|environment|variables)(?:\?\.|\.|\[')([A-Z][A-Z0-9_]+)/g;

/** Key of a schema for environment variables, such as `PORT: wholeNumber(1, 65_535)`. */
const SCHEMA_KEY = /^\s+([A-Z][A-Z0-9_]+): (?=[a-z])/gm;

/** Patterns for modules with schemas of environment variables: for the path of a module, and for its text. */
const CONFIG_PATH = /\/config(?:\.ts$|\/)/;
const PARSES_ENVIRONMENT = /arse\((?:process\.)?env(?:ironment)?\b/;

/** Variable that the code reads, and one of the files that read it. */
interface ReadVariable {
  readonly name: string;
  readonly file: string;
}

/** Lists the environment variables that the source files in `FOLDERS` read. Tests and their helpers are excluded. */
function listReadVariables(): readonly ReadVariable[] {
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
