/** Packages without I/O, framework, clock or randomness. */
export const purePackages: readonly string[] = ['common', 'contract', 'trust', 'x402'];

/** Packages that use the network or compute results, and need no database. */
const workPackages = ['catalog', 'chain', 'check', 'delivery', 'guard', 'mcp', 'probe', 'search', 'watch'];

/**
 * Packages of this repository that each package may import. docs/architecture.md explains the purpose of each package. No
 * package may import an app, and no package may import itself through other packages. A dependency of a package.json that
 * no file imports is reported by knip.
 */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  common: [],
  x402: ['common'],
  // The contract depends only on `common`, so that every package and every client can use it.
  contract: ['common'],
  trust: ['common', 'contract', 'x402'],
  catalog: ['common', 'x402'],
  probe: ['common'],
  check: ['common', 'contract', 'probe', 'x402'],
  delivery: ['common', 'contract', 'probe', 'x402'],
  chain: ['common', 'x402'],
  search: ['common', 'x402'],
  watch: ['common', 'contract', 'probe', 'x402'],
  mcp: ['common', 'contract', 'trust'],
  // The guard is published for programs that pay, as a bundle without dependencies. The bundle contains the modules of
  // these packages that the guard uses.
  guard: ['common', 'contract', 'x402'],
  store: purePackages,
  embedded: [],
  payment: ['chain', 'common', 'contract', 'store', 'x402'],
  pipeline: [
    ...purePackages,
    ...['catalog', 'chain', 'check', 'delivery', 'guard', 'payment', 'probe', 'search', 'store', 'watch'],
  ],
  ui: ['common', 'contract', 'x402'],
  web: [...purePackages, 'catalog', 'check', 'mcp', 'payment', 'pipeline', 'search', 'store', 'ui', 'watch'],
  service: [...purePackages, ...workPackages, 'embedded', 'payment', 'pipeline', 'store'],
  cli: [...purePackages, 'check', 'delivery', 'guard', 'mcp', 'probe'],
  // The other packages are tested against the sandbox. The sandbox must not import `x402`, because an error in the
  // network table would then be in both packages, and no test would find the error.
  sandbox: ['common'],
  // The tests of the running service compute page URLs from endpoint URLs, compare verdicts with the formula, pay with the
  // guard, and start a service with a database of its operator.
  'web-e2e': ['catalog', 'common', 'embedded', 'guard', 'trust', 'x402'],
};

/** Further packages that the tests of a package may import. The guard is tested with documents that the service signs. */
export const allowedTestImports: Readonly<Record<string, readonly string[]>> = {
  guard: ['trust'],
  payment: ['embedded'],
  pipeline: ['embedded'],
  store: ['embedded'],
};

/**
 * Libraries that only one package may import. Only `store` accesses the database, and only `embedded` contains a
 * database.
 */
export const reservedLibraries: readonly { readonly name: RegExp; readonly owner: string }[] = [
  { name: /^@supabase\/(supabase-js|postgrest-js)$/, owner: 'store' },
  { name: /^(@supabase\/lite$|@electric-sql\/)/, owner: 'embedded' },
];

/**
 * Libraries without side effects. A pure package may import these libraries, but no other library and no module of
 * Node.
 */
export const pureLibraries: readonly string[] = [
  '@cfworker/json-schema',
  '@noble/hashes',
  '@scure/base',
  '@x402/core',
  'canonicalize',
  'zod',
];

/**
 * Files that other packages may import by path. An edge function can import only files of its own folder, so the local
 * embedder imports its request handler from that folder.
 */
export const sharedFiles: readonly string[] = ['supabase/functions/embed/handler.ts'];
