import { REFUSAL, WATCH_MESSAGES_SECTION, type WebhookMessage } from '@touchstone/contract';

/** Returns the URL of the page that explains the messages of watches. @param serviceUrl any URL of this service */
export function formatSenderPage(serviceUrl: string): string {
  return new URL(`/docs#${WATCH_MESSAGES_SECTION}`, serviceUrl).href;
}

/** Returns the members of a webhook message that tell its receiver who sends the message and how to refuse it. */
export function toSenderNotice(serviceUrl: string): Pick<WebhookMessage['data'], 'sender_page' | 'refusal'> {
  return { sender_page: formatSenderPage(serviceUrl), refusal: REFUSAL };
}
