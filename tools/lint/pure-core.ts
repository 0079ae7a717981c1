import type { Linter } from 'eslint';

/**
 * What the pure layer may not touch: I/O, frameworks, clocks, randomness and whatever depends on the machine's
 * locale. Time and everything random reach it as arguments, so that the same input gives the same output anywhere.
 */

/** Anything but the same package, the pure layer, zod, the x402 protocol types, and libraries that only compute. */
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
  { property: 'localeCompare', message: 'Its order depends on the machine; compare code units.' },
  { property: 'toLocaleString', message: 'Its text depends on the machine.' },
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
  { selector: 'MetaProperty', message: 'The pure core does not know where it is stored.' },
];

export const pureCoreRules: Linter.RulesRecord = {
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        {
          regex: impureImport,
          message: 'The pure core imports only its own layer and libraries that only compute.',
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
