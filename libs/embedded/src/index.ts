export { holdBackup, readDatabaseUrl, URL_FILE, type HeldBackup } from './backups.ts';
export { syncFolder, syncTree } from './files/sync-tree.ts';
export { checkDatabase } from './open/open-database.ts';
export { OpenError } from './open/open-error.ts';
export {
  createKeys,
  startEmbedded,
  type EmbeddedDatabase,
  type EmbeddedKeys,
  type EmbeddedOptions,
} from './start.ts';
