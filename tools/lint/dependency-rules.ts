/** Rule for one tag, in the format of `depConstraints` of `@nx/enforce-module-boundaries`. */
interface DependencyRule {
  readonly sourceTag: string;
  readonly onlyDependOnLibsWithTags?: readonly string[];
  readonly bannedExternalImports?: readonly string[];
}

/**
 * Allowed imports between packages. The `nx.tags` in each package.json contain tags that begin with `layer:` and
 * `scope:`. A package must satisfy every rule for its tags. CONTRIBUTING.md lists the packages and their purposes.
 */
export const dependencyRules: DependencyRule[] = [
  { sourceTag: 'layer:pure', onlyDependOnLibsWithTags: ['layer:pure'] },
  { sourceTag: 'layer:work', onlyDependOnLibsWithTags: ['layer:pure', 'layer:work'] },
  { sourceTag: 'layer:data', onlyDependOnLibsWithTags: ['layer:pure', 'layer:data'] },
  {
    sourceTag: 'layer:jobs',
    onlyDependOnLibsWithTags: ['layer:pure', 'layer:work', 'layer:data', 'layer:jobs'],
  },
  { sourceTag: 'layer:view', onlyDependOnLibsWithTags: ['layer:pure'] },
  // No package may import an app, and apps may not import each other.
  {
    sourceTag: 'layer:app',
    onlyDependOnLibsWithTags: ['layer:pure', 'layer:work', 'layer:data', 'layer:jobs', 'layer:view'],
  },

  { sourceTag: 'scope:common', onlyDependOnLibsWithTags: [] },
  // The contract depends only on `common`, so that every package and every client can use it.
  { sourceTag: 'scope:contract', onlyDependOnLibsWithTags: ['scope:common'] },
  { sourceTag: 'scope:catalog', onlyDependOnLibsWithTags: ['scope:common', 'scope:x402'] },
  { sourceTag: 'scope:probe', onlyDependOnLibsWithTags: ['scope:common'] },
  { sourceTag: 'scope:chain', onlyDependOnLibsWithTags: ['scope:common', 'scope:x402'] },
  { sourceTag: 'scope:search', onlyDependOnLibsWithTags: ['scope:common', 'scope:x402'] },
  {
    sourceTag: 'scope:watch',
    onlyDependOnLibsWithTags: ['scope:common', 'scope:contract', 'scope:probe', 'scope:x402'],
  },
  {
    sourceTag: 'scope:store',
    onlyDependOnLibsWithTags: ['scope:common', 'scope:contract', 'scope:trust', 'scope:x402'],
  },
  { sourceTag: 'scope:mcp', onlyDependOnLibsWithTags: ['scope:common', 'scope:contract', 'scope:trust'] },
  // The guard is published for programs that pay. It contains no other package of this repository.
  { sourceTag: 'scope:guard', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'scope:embedded', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'scope:ui', onlyDependOnLibsWithTags: ['scope:common', 'scope:contract', 'scope:x402'] },
  {
    sourceTag: 'scope:pipeline',
    onlyDependOnLibsWithTags: [
      'scope:catalog',
      'scope:chain',
      'scope:common',
      'scope:contract',
      'scope:payment',
      'scope:probe',
      'scope:search',
      'scope:store',
      'scope:trust',
      'scope:watch',
      'scope:x402',
    ],
  },
  {
    sourceTag: 'scope:payment',
    onlyDependOnLibsWithTags: ['scope:chain', 'scope:common', 'scope:contract', 'scope:store', 'scope:x402'],
  },
  {
    sourceTag: 'scope:web',
    onlyDependOnLibsWithTags: [
      'layer:pure',
      'scope:catalog',
      'scope:mcp',
      'scope:payment',
      'scope:pipeline',
      'scope:search',
      'scope:store',
      'scope:ui',
      'scope:watch',
    ],
  },
  {
    sourceTag: 'scope:service',
    onlyDependOnLibsWithTags: ['layer:pure', 'layer:work', 'layer:data', 'layer:jobs'],
  },
  {
    sourceTag: 'scope:cli',
    onlyDependOnLibsWithTags: ['layer:pure', 'scope:guard', 'scope:mcp', 'scope:probe'],
  },
  { sourceTag: 'scope:sandbox', onlyDependOnLibsWithTags: ['scope:common'] },
  // The browser tests compute page URLs from endpoint URLs, compare the score playground with the formula, and pay with
  // the guard.
  {
    sourceTag: 'scope:web-e2e',
    onlyDependOnLibsWithTags: ['scope:catalog', 'scope:common', 'scope:guard', 'scope:trust', 'scope:x402'],
  },

  // Only the store package accesses the database: only it uses supabase-js. Only the package `embedded` contains a
  // database.
  {
    sourceTag: '/^scope:(?!store$)/',
    bannedExternalImports: ['@supabase/supabase-js', '@supabase/postgrest-js'],
  },
  {
    sourceTag: '/^scope:(?!embedded$)/',
    bannedExternalImports: ['@supabase/lite', '@supabase/lite/*', '@electric-sql/*'],
  },
];

/** Tags of the packages whose tests use the database in the package `embedded`. */
const testedOnDatabase = ['scope:store', 'scope:pipeline', 'scope:payment'];

/** Tags of further packages that the tests of a package use. The guard is tested with documents that the service signs. */
const testDependencies: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(testedOnDatabase.map((tag) => [tag, ['scope:embedded']])),
  'scope:guard': ['scope:contract', 'scope:trust'],
  // A service is tested with a database that the test starts.
  'scope:web-e2e': ['scope:embedded'],
};

/** Dependency rules for test files. */
export const testDependencyRules: DependencyRule[] = dependencyRules.map((row) => ({
  ...row,
  ...(row.onlyDependOnLibsWithTags === undefined
    ? {}
    : {
        onlyDependOnLibsWithTags: [
          ...row.onlyDependOnLibsWithTags,
          ...(testDependencies[row.sourceTag] ?? []),
        ],
      }),
}));
