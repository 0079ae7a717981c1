export { createCipher, parseWatchKeys, type Cipher } from './secrets/cipher.ts';
export { createRandomId, createWatchSecret, verifySecret, type WatchSecret } from './secrets/watch-secret.ts';
export { isSharedChat, toReceiver } from './destinations/receiver.ts';
export { toChatKind, toUrlLabel } from './destinations/url-label.ts';
export { deliver, type Delivery } from './delivery/deliver.ts';
export { NO_RESPONSE } from './delivery/read-reply.ts';
export { INVALID_URL, MAX_TRIES, testConnection, TOO_MANY_CONNECTIONS } from './delivery/test-connection.ts';
export type { LogEntry } from './events/log-entry.ts';
export { toWatchEvent } from './events/to-watch-event.ts';
