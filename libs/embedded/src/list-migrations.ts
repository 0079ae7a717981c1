import { MIGRATIONS, readMigrations } from './migrate.ts';

/**
 * Generates a TypeScript module with the names of all migrations in order. A deployed site has no migration files, so
 * it compares the database with this list.
 */
export function listMigrations(): string {
  const lines = readMigrations(MIGRATIONS).map(({ version, name }) => `  '${version}_${name}',\n`);
  return `// Generated from supabase/migrations by \`npm run db:types\`; do not edit.

/** Migrations of this release in order, as the names of their files without \`.sql\`. */
export const MIGRATIONS: readonly string[] = [\n${lines.join('')}];\n`;
}
