import nx from '@nx/eslint-plugin';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { refreshProjectGraph } from './tools/lint/project-graph.ts';
import { pureCoreRules } from './tools/lint/pure-core.ts';
import { dependencyRules, testDependencyRules } from './tools/lint/dependency-rules.ts';

const { pureFolders } = await refreshProjectGraph();

const typescript = ['**/*.{ts,tsx,mts}'];
/** Tests and what only tests use. */
const tests = ['**/*.test.{ts,tsx}', '**/testing/**', '**/test-*.ts', 'apps/web-e2e/**'];
const generated = ['**/*.generated.ts'];

/**
 * Imports that the rule on boundaries would refuse. It does not read optionalDependencies, and an edge function can import
 * only files of its own folder, so the local embedder imports its request handler from there.
 */
const allowedImports = [
  '@huggingface/tokenizers',
  'onnxruntime-node',
  '../../../../supabase/functions/embed/handler.ts',
];

/** Undeclared packages are refused as well: what a file imports, its package.json (or the root's) names. */
const boundaries = (depConstraints) => [
  'error',
  { depConstraints, banTransitiveDependencies: true, allow: allowedImports },
];

export default defineConfig(
  globalIgnores([
    '**/node_modules/',
    '**/.next/',
    '**/.touchstone/',
    '**/dist/',
    '**/next-env.d.ts',
    '.nx/',
    'apps/web/public/playground.js',
    'apps/web/public/watch.js',
    'apps/web/public/explore.js',
    'apps/web/public/search.js',
    'apps/web/public/shared-*.js',
    'apps/web/public/openapi-explorer*.js',
  ]),
  // Rules are argued about in this file, not switched off where they bite.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  {
    name: 'touchstone/all',
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', 300],
      'no-console': 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-param-reassign': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    name: 'touchstone/boundaries',
    files: ['**/*.{ts,tsx,mts,js,mjs}'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(dependencyRules),
    },
  },
  { files: ['**/*.{js,mjs}'], languageOptions: { parser: tseslint.parser } },
  {
    name: 'touchstone/typescript',
    files: typescript,
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/max-params': ['error', { max: 3 }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      // A string is spread to walk its code points, which is what it is done for here.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  { name: 'touchstone/pure-core', files: pureFolders, ignores: tests, rules: pureCoreRules },
  {
    name: 'touchstone/tests',
    files: tests,
    rules: {
      '@nx/enforce-module-boundaries': boundaries(testDependencyRules),
      'max-lines-per-function': 'off',
      // A stand-in for an asynchronous function is asynchronous, whether or not it waits.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    name: 'touchstone/generated',
    files: generated,
    rules: { 'max-lines': 'off', '@typescript-eslint/no-redundant-type-constituents': 'off' },
  },
  {
    name: 'touchstone/speaks-to-people',
    files: [
      'apps/service/**',
      'apps/sandbox/**',
      'bench/**',
      'libs/**/*-cli.ts',
      'supabase/functions/**',
      'tools/**',
    ],
    rules: { 'no-console': 'off' },
  },
);
