import { parseJson } from '@touchstone/common';
import { z } from 'zod';
import { createJsonResponse, type HttpResponse } from '../http/responses.ts';
import { formatRetryAfter, joinText, type ImitatedService } from './imitated-service.ts';

/** Limits of Discord for one message: maximum numbers of characters, embeds and fields. */
const MAX_CONTENT_CHARS = 2_000;
const MAX_EMBEDS = 10;
const MAX_EMBED_CHARS = 6_000;
const MAX_FIELDS = 25;

function limited(max: number) {
  return z.string().max(max).optional();
}

const embedSchema = z.object({
  title: limited(256),
  description: limited(4_096),
  url: z.url({ protocol: /^https?$/ }).optional(),
  fields: z
    .array(z.object({ name: z.string().min(1).max(256), value: z.string().min(1).max(1_024) }))
    .max(MAX_FIELDS)
    .optional(),
  footer: z.object({ text: z.string().max(2_048) }).optional(),
});
const messageSchema = z.object({
  content: limited(MAX_CONTENT_CHARS),
  embeds: z.array(embedSchema).max(MAX_EMBEDS).optional(),
});

type Embed = z.infer<typeof embedSchema>;

/** Error messages and error codes of Discord, by HTTP status. */
const ERRORS: Readonly<Record<number, { message: string; code: number }>> = {
  401: { message: 'Invalid Webhook Token', code: 50_027 },
  403: { message: 'Missing Permissions', code: 50_013 },
  404: { message: 'Unknown Webhook', code: 10_015 },
};
const NO_CONTENT: HttpResponse = { status: 204, headers: ['Connection', 'close'], body: Buffer.alloc(0) };

function listEmbedTexts({ title, description, fields = [], footer }: Embed): (string | undefined)[] {
  return [title, description, ...fields.map(({ name, value }) => `${name}: ${value}`), footer?.text];
}

function listTexts({ content, embeds = [] }: z.infer<typeof messageSchema>): (string | undefined)[] {
  return [content, ...embeds.flatMap(listEmbedTexts)];
}

function accept(body: string): HttpResponse {
  const json = parseJson(body);
  if (json === undefined)
    return createJsonResponse(400, { message: 'The request body contains invalid JSON.', code: 50_109 });
  const message = messageSchema.safeParse(json);
  const embedChars = (message.data?.embeds ?? []).flatMap(listEmbedTexts).join('').length;
  if (!message.success || embedChars > MAX_EMBED_CHARS)
    return createJsonResponse(400, { message: 'Invalid Form Body', code: 50_035, errors: {} });
  if (joinText(listTexts(message.data)) === null)
    return createJsonResponse(400, { message: 'Cannot send an empty message', code: 50_006 });
  return NO_CONTENT;
}

function readText(body: string): string | null {
  const message = messageSchema.safeParse(parseJson(body));
  return message.success ? joinText(listTexts(message.data)) : null;
}

/** Simulated service that receives messages as Discord's webhooks do. */
export const discordService: ImitatedService = {
  channel: 'discord',
  removedStatus: 404,
  accept,
  fail: (status) => createJsonResponse(status, ERRORS[status] ?? { message: `${status}: Error`, code: 0 }),
  limit: (waitMs) =>
    createJsonResponse(
      429,
      { message: 'You are being rate limited.', retry_after: waitMs / 1_000, global: false },
      ['Retry-After', formatRetryAfter(waitMs)],
    ),
  read: (body) => ({ type: null, text: readText(body) }),
};
