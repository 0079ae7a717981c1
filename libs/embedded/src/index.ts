export { checkDatabase } from './backup/check-database.ts';
export { holdBackup, readDatabaseUrl, URL_FILE, type HeldBackup } from './backup/hold-backup.ts';
export { syncFolder, syncTree } from './files/sync-tree.ts';
export { createKeys } from './keys.ts';
export { OpenError } from './open/open-error.ts';
export { startEmbedded, type EmbeddedDatabase, type EmbeddedKeys, type EmbeddedOptions } from './start.ts';
