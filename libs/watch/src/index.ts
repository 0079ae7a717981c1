export { createCipher, parseWatchKeys, type Cipher } from './secrets/cipher.ts';
export { createWatchSecret, isSecretOf, toSecretHash, type WatchSecret } from './secrets/watch-secret.ts';
export { toChatKind, toUrlLabel, type Channel, type ChatKind } from './destinations/url-label.ts';
export { MAX_ATTEMPTS, nextAttemptDelayMs } from './delivery/schedule.ts';
