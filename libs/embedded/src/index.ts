export { holdBackup, readDatabaseUrl, URL_FILE, type HeldBackup } from './backups.ts';
export { checkDatabase } from './open-database.ts';
export { createKeys, type EmbeddedKeys } from './serve.ts';
export { startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from './start.ts';
export { syncFolder, syncTree } from './sync-tree.ts';
