import type { HttpResponse } from '../endpoints/http-response.ts';
import type { Channel } from './delivery-log.ts';

/** Service that a host of the receiver imitates. */
export interface ImitatedService {
  readonly channel: Channel;
  /** Status of the response after the hook was removed. */
  readonly removedStatus: number;
  /** Responds to a message like the service: with success, or with an error when the message is invalid. */
  readonly accept: (body: string) => HttpResponse;
  /** Responds with a failure of the given status. */
  readonly fail: (status: number) => HttpResponse;
  /** Responds with status 429 to a message that can be sent again after `waitMs` milliseconds. */
  readonly limit: (waitMs: number) => HttpResponse;
  /** Returns the type and the text of a message; null for what it does not have. */
  readonly read: (body: string) => { readonly type: string | null; readonly text: string | null };
}

/** Formats a wait as the value of `Retry-After`, in whole seconds, rounded up. */
export function formatRetryAfter(waitMs: number): string {
  return String(Math.ceil(waitMs / 1_000));
}

/** Joins the parts of a message that have text; null when none has. */
export function joinText(parts: readonly (string | undefined)[]): string | null {
  const texts = parts.filter((part) => part !== undefined && part !== '');
  return texts.length === 0 ? null : texts.join('\n');
}
