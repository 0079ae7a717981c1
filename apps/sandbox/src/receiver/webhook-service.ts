import { z } from 'zod';
import { createJsonResponse } from '../endpoints/http-response.ts';
import { parseJson } from '../parsing/json.ts';
import { formatRetryAfter, type ImitatedService } from './imitated-service.ts';

const messageSchema = z.object({
  type: z.string().nullable().catch(null),
  data: z.object({ summary: z.string().nullable().catch(null) }).catch({ summary: null }),
});

const REDIRECT_TARGET = 'https://receiver.sandbox.test/redirected';

/** Receiver of webhooks that accepts every body. */
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
