/** A row of `depConstraints` of `@nx/enforce-module-boundaries`. */
interface DependencyRule {
  readonly sourceTag: string;
  readonly onlyDependOnLibsWithTags?: readonly string[];
  readonly bannedExternalImports?: readonly string[];
}

/**
 * Allowed imports between packages. `layer:` and `scope:` tags are the `nx.tags` of each package.json; a package must
 * satisfy every row that matches one of its tags. CONTRIBUTING.md lists the packages and their purposes.
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
  // Apps are never imported, by another app least of all.
  {
    sourceTag: 'layer:app',
    onlyDependOnLibsWithTags: ['layer:pure', 'layer:work', 'layer:data', 'layer:jobs', 'layer:view'],
  },

  { sourceTag: 'scope:common', onlyDependOnLibsWithTags: [] },
  // The contract depends on no other package, so that every package and every client can use it.
  { sourceTag: 'scope:contract', onlyDependOnLibsWithTags: ['scope:common'] },
  { sourceTag: 'scope:catalog', onlyDependOnLibsWithTags: ['scope:common', 'scope:x402'] },
  { sourceTag: 'scope:probe', onlyDependOnLibsWithTags: ['scope:common'] },
  { sourceTag: 'scope:chain', onlyDependOnLibsWithTags: ['scope:common', 'scope:x402'] },
  {
    sourceTag: 'scope:store',
    onlyDependOnLibsWithTags: ['scope:common', 'scope:contract', 'scope:trust', 'scope:x402'],
  },
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
  { sourceTag: 'scope:cli', onlyDependOnLibsWithTags: ['layer:pure', 'scope:probe'] },
  { sourceTag: 'scope:sandbox', onlyDependOnLibsWithTags: ['scope:common'] },
  // The browser tests find a page by the address of its endpoint, and hold the playground to the formula.
  {
    sourceTag: 'scope:web-e2e',
    onlyDependOnLibsWithTags: ['scope:catalog', 'scope:common', 'scope:trust', 'scope:x402'],
  },

  // One access to the data: only the store uses supabase-js, and only `embedded` contains a database.
  {
    sourceTag: '/^scope:(?!store$)/',
    bannedExternalImports: ['@supabase/supabase-js', '@supabase/postgrest-js'],
  },
  {
    sourceTag: '/^scope:(?!embedded$)/',
    bannedExternalImports: ['@supabase/lite', '@supabase/lite/*', '@electric-sql/*'],
  },
];

/** Packages whose tests run against the database of `embedded`. */
const testedOnDatabase = ['scope:store', 'scope:pipeline', 'scope:payment'];

/** The rules for test files. */
export const testDependencyRules: DependencyRule[] = dependencyRules.map((row) =>
  testedOnDatabase.includes(row.sourceTag)
    ? { ...row, onlyDependOnLibsWithTags: [...(row.onlyDependOnLibsWithTags ?? []), 'scope:embedded'] }
    : row,
);
