import type { Linter } from 'eslint';

/**
 * ESLint rules for packages of the pure layer. They forbid I/O, frameworks, clocks, random values and functions that
 * depend on the machine's locale. Callers pass times and random values as arguments, so that the same input gives the
 * same output everywhere.
 */

/** Pattern of forbidden imports. Allowed are files of the same package, Touchstone packages and some pure libraries. */
const impureImport =
  '^(?!\\.{1,2}/|@touchstone/|(zod|@x402/core|@noble/hashes|@scure/base|@cfworker/json-schema|canonicalize)(/|$))';

const impureGlobals = [
  'Buffer',
  'EventSource',
  'WebSocket',
  'XMLHttpRequest',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'console',
  'crypto',
  'document',
  'fetch',
  'global',
  'globalThis',
  'navigator',
  'performance',
  'process',
  'queueMicrotask',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'window',
];

const impureProperties = [
  { object: 'Date', property: 'now', message: 'Take the time as an argument.' },
  { object: 'Math', property: 'random', message: 'Take the random source as an argument.' },
  { property: 'localeCompare', message: 'The order depends on the machine. Compare code units.' },
  { property: 'toLocaleString', message: 'The text depends on the machine.' },
];

const impureSyntax = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.name='Date']",
    message: 'The pure core has no clock: take the time as an argument.',
  },
  {
    selector: 'ImportExpression',
    message: 'The pure core imports statically, so that its imports can be checked.',
  },
  { selector: 'MetaProperty', message: 'The pure core must not depend on its own location.' },
];

export const pureCoreRules: Linter.RulesRecord = {
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        {
          regex: impureImport,
          message: 'The pure core imports only its own layer and libraries without side effects.',
        },
      ],
    },
  ],
  'no-restricted-globals': [
    'error',
    ...impureGlobals.map((name) => ({
      name,
      message: 'The pure core has no I/O, no clock and no randomness.',
    })),
  ],
  'no-restricted-properties': ['error', ...impureProperties],
  'no-restricted-syntax': ['error', ...impureSyntax],
};
