/** Support of tests that need a PostgreSQL server, because they open several connections to one database. */
export {
  connectAsOwner,
  createDatabase,
  createMigratedTemplate,
  TEMPLATE,
  toOwnerUrl,
} from './postgres-databases.ts';
export { findPostgres, startServer } from './postgres.ts';
export {
  createSharedDatabase,
  formatLiteral,
  openSession,
  type Session,
  type SharedDatabase,
} from './sessions.ts';
