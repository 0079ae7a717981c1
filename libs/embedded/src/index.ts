export { createKeys } from './keys.ts';
export { startEmbedded, type EmbeddedDatabase, type EmbeddedKeys, type EmbeddedOptions } from './start.ts';
