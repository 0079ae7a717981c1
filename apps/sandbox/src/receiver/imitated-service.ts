import { parseJson } from '@touchstone/common';
import { z } from 'zod';
import { createJsonResponse, type HttpResponse } from '../http/responses.ts';

export type Channel = 'webhook' | 'slack' | 'discord';

/** Service that a host of the receiver simulates. */
export interface ImitatedService {
  readonly channel: Channel;
  /** Status with which the real service reports a removed webhook URL. */
  readonly removedStatus: number;
  /** Responds to a message as the real service does: with success, or with an error for an invalid message. */
  readonly accept: (body: string) => HttpResponse;
  /** Responds with a failure of the given status. */
  readonly fail: (status: number) => HttpResponse;
  /** Responds with status 429. The message can be sent again after `waitMs` milliseconds. */
  readonly limit: (waitMs: number) => HttpResponse;
  /** Returns the type and the text of a message; null for a missing type or text. */
  readonly read: (body: string) => { readonly type: string | null; readonly text: string | null };
}

/** Formats a wait as the value of `Retry-After`, in whole seconds, rounded up. */
export function formatRetryAfter(waitMs: number): string {
  return String(Math.ceil(waitMs / 1_000));
}

/** Joins the message parts that have text; returns null when no part has text. */
export function joinText(parts: readonly (string | undefined)[]): string | null {
  const texts = parts.filter((part) => part !== undefined && part !== '');
  return texts.length === 0 ? null : texts.join('\n');
}

const messageSchema = z.object({
  type: z.string().nullable().catch(null),
  data: z.object({ summary: z.string().nullable().catch(null) }).catch({ summary: null }),
});

const REDIRECT_TARGET = 'https://receiver.sandbox.test/redirected';

/** Simulated receiver of webhooks. It accepts every body. */
export const webhookService: ImitatedService = {
  channel: 'webhook',
  removedStatus: 410,
  accept: () => createJsonResponse(200, { received: true }),
  fail: (status) =>
    createJsonResponse(
      status,
      { error: `this path responds with status ${status}` },
      status < 400 ? ['Location', REDIRECT_TARGET] : [],
    ),
  limit: (waitMs) =>
    createJsonResponse(429, { error: 'too many requests' }, ['Retry-After', formatRetryAfter(waitMs)]),
  read: (body) => {
    const message = messageSchema.safeParse(parseJson(body));
    if (!message.success) return { type: null, text: null };
    const { type, data } = message.data;
    return { type, text: data.summary };
  },
};
