export { createCipher, parseWatchKeys, type Cipher } from './secrets/cipher.ts';
export { createWatchSecret, verifySecret, toSecretHash, type WatchSecret } from './secrets/watch-secret.ts';
export { isSharedChat, toReceiver } from './destinations/receiver.ts';
export { isRefusal } from './destinations/refusal-file.ts';
export { isDiscordUrl, toChatKind, toUrlLabel, type ChatKind } from './destinations/url-label.ts';
export { deliver, type Delivery, type DeliveryResult } from './delivery/deliver.ts';
export { NO_RESPONSE } from './delivery/read-reply.ts';
export { computeNextDelayMs } from './delivery/schedule.ts';
export {
  INVALID_URL,
  MAX_TRIES,
  testConnection,
  TOO_MANY_CONNECTIONS,
  type ConnectionTestRequest,
  type ConnectionTestResult,
} from './delivery/test-connection.ts';
export type { AlertEntry, LifecycleEntry, LogEntry } from './events/log-entry.ts';
export { toWatchEvent, type EventContext } from './events/to-watch-event.ts';
export {
  formatDiscordMessage,
  formatSlackMessage,
  type DiscordMessage,
  type SlackMessage,
} from './delivery/chat-messages.ts';
