// This file does not import zod, so that scripts of pages can import it without zod.

/** All severities of an event, most severe first. */
export const WATCH_SEVERITIES = ['critical', 'warning', 'info'] as const;
export type WatchSeverity = (typeof WATCH_SEVERITIES)[number];

/** All states of a watch. A watch is pending until its payment is settled. */
export const WATCH_STATUSES = ['pending', 'active', 'cancelled', 'expired'] as const;
export type WatchStatus = (typeof WATCH_STATUSES)[number];

/** All channels of a delivery: a signed webhook, or the incoming webhook of a chat service. */
export const WATCH_CHANNELS = ['webhook', 'slack', 'discord'] as const;
export type WatchChannel = (typeof WATCH_CHANNELS)[number];

/** Duration of a watch for one payment, in days. */
export const WATCH_DAYS = 30;
/** Time after the end of a watch during which the watch can still be renewed, in days. */
export const WATCH_RENEWAL_GRACE_DAYS = 7;
/** Time after the end of a watch during which its log can be read, in days. */
export const WATCH_LOG_DAYS = 30;

/** Maximum number of delivery URLs of each kind: webhooks and chats. */
export const MAX_DELIVERY_URLS = 5;
/** Maximum length of a delivery URL, in UTF-16 code units. */
export const MAX_DELIVERY_URL_CHARS = 2_048;

/** Limits of the number of consecutive missed probes before `liveness_down`. */
export const LIVENESS_SENSITIVITY = { min: 1, max: 10, default: 2 } as const;

/** Maximum number of alerts, and of lifecycle events, in one response. */
export const MAX_WATCH_EVENTS = 100;
/** Maximum number of payment options that an event lists before and after a change. */
export const MAX_EVENT_OPTIONS = 20;
/** Maximum size of the body of a webhook message, in bytes. */
export const MAX_WEBHOOK_BODY_BYTES = 20_000;

/** Id of the section of the page `/docs` that explains the messages of watches to their receivers. */
export const WATCH_MESSAGES_SECTION = 'watch-messages';
export const REFUSAL_FILE = { path: '/.well-known/touchstone.txt', line: 'deliveries: refuse' } as const;
/** Sentence in each webhook message: how its receiver refuses further messages. */
export const REFUSAL = `To refuse all further messages, respond with status 410, or serve the line "${REFUSAL_FILE.line}" at ${REFUSAL_FILE.path} of this host.`;
/** Maximum number of messages of all watches to one receiver in 24 hours. A receiver is a domain or a chat. */
export const MAX_DAILY_MESSAGES = 600;
/** Maximum number of messages of one watch to one receiver in 24 hours. */
export const MAX_DAILY_MESSAGES_PER_WATCH = 100;
