/** A row of `depConstraints` of `@nx/enforce-module-boundaries`. */
interface RoomConstraint {
  readonly sourceTag: string;
  readonly onlyDependOnLibsWithTags?: readonly string[];
  readonly bannedExternalImports?: readonly string[];
}

/**
 * Which room may enter which. Layers and rooms are the `nx.tags` of each package.json; a package has to satisfy
 * every row that matches one of its tags. The rooms and their reasons are in CONTRIBUTING.md.
 */
export const roomConstraints: RoomConstraint[] = [
  { sourceTag: 'layer:pure', onlyDependOnLibsWithTags: ['layer:pure'] },
  { sourceTag: 'layer:work', onlyDependOnLibsWithTags: ['layer:pure', 'layer:work'] },
  { sourceTag: 'layer:data', onlyDependOnLibsWithTags: ['layer:pure', 'layer:data'] },
  { sourceTag: 'layer:jobs', onlyDependOnLibsWithTags: ['layer:pure', 'layer:work', 'layer:data'] },
  { sourceTag: 'layer:view', onlyDependOnLibsWithTags: ['layer:pure'] },
  // Apps are never imported, by another app least of all.
  {
    sourceTag: 'layer:app',
    onlyDependOnLibsWithTags: ['layer:pure', 'layer:work', 'layer:data', 'layer:jobs', 'layer:view'],
  },

  // The wire's own words are nobody else's, so that every room and every stranger can read them.
  { sourceTag: 'room:contract', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'room:catalog', onlyDependOnLibsWithTags: ['room:x402'] },
  { sourceTag: 'room:probe', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'room:chain', onlyDependOnLibsWithTags: ['room:x402'] },
  { sourceTag: 'room:store', onlyDependOnLibsWithTags: ['room:x402', 'room:trust'] },
  { sourceTag: 'room:embedded', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'room:ui', onlyDependOnLibsWithTags: ['room:contract'] },
  {
    sourceTag: 'room:pipeline',
    onlyDependOnLibsWithTags: [
      'room:catalog',
      'room:chain',
      'room:contract',
      'room:contract',
      'room:probe',
      'room:search',
      'room:store',
      'room:trust',
      'room:watch',
      'room:x402',
    ],
  },
  {
    sourceTag: 'room:payment',
    onlyDependOnLibsWithTags: ['room:chain', 'room:contract', 'room:store', 'room:x402'],
  },
  {
    sourceTag: 'room:web',
    onlyDependOnLibsWithTags: [
      'layer:pure',
      'room:payment',
      'room:pipeline',
      'room:search',
      'room:store',
      'room:ui',
      'room:watch',
    ],
  },
  {
    sourceTag: 'room:service',
    onlyDependOnLibsWithTags: ['layer:pure', 'layer:work', 'layer:data', 'layer:jobs'],
  },
  { sourceTag: 'room:cli', onlyDependOnLibsWithTags: ['layer:pure', 'room:probe'] },
  { sourceTag: 'room:sandbox', onlyDependOnLibsWithTags: [] },
  // The browser tests find a page by the address of its endpoint, and hold the playground to the formula.
  { sourceTag: 'room:web-e2e', onlyDependOnLibsWithTags: ['room:catalog', 'room:trust', 'room:x402'] },

  // One door to the data: only the store speaks to the database, only the embedded room carries one.
  {
    sourceTag: '/^room:(?!store$)/',
    bannedExternalImports: ['@supabase/supabase-js', '@supabase/postgrest-js'],
  },
  {
    sourceTag: '/^room:(?!embedded$)/',
    bannedExternalImports: ['@supabase/lite', '@supabase/lite/*', '@electric-sql/*'],
  },
];

/** Rooms whose tests run against a real database, which the embedded room carries. */
const testedOnDatabase = ['room:store', 'room:pipeline', 'room:payment'];

/** The same rows for test files. */
export const testRoomConstraints: RoomConstraint[] = roomConstraints.map((row) =>
  testedOnDatabase.includes(row.sourceTag)
    ? { ...row, onlyDependOnLibsWithTags: [...(row.onlyDependOnLibsWithTags ?? []), 'room:embedded'] }
    : row,
);
