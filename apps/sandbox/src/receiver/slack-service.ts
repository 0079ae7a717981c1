import { parseJson } from '@touchstone/common';
import { z } from 'zod';
import { createTextResponse, type HttpResponse } from '../http/responses.ts';
import { formatRetryAfter, joinText, type ImitatedService } from './imitated-service.ts';

/** Limits of Slack's Block Kit: maximum numbers of characters in a text and in a header, and of blocks in a message. */
const MAX_TEXT_CHARS = 3_000;
const MAX_HEADER_CHARS = 150;
const MAX_BLOCKS = 50;
const MAX_FIELDS = 10;

const textSchema = z.object({
  type: z.enum(['mrkdwn', 'plain_text']),
  text: z.string().min(1).max(MAX_TEXT_CHARS),
});
const blockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('divider') }),
  z.object({
    type: z.literal('header'),
    text: textSchema.refine(({ type, text }) => type === 'plain_text' && text.length <= MAX_HEADER_CHARS),
  }),
  z
    .object({
      type: z.literal('section'),
      text: textSchema.optional(),
      fields: z.array(textSchema).min(1).max(MAX_FIELDS).optional(),
    })
    .refine(({ text, fields }) => text !== undefined || fields !== undefined),
  z.object({ type: z.literal('context'), elements: z.array(textSchema).min(1).max(MAX_FIELDS) }),
]);
const blocksSchema = z.array(blockSchema).max(MAX_BLOCKS);
const messageSchema = z.object({ text: z.string().optional(), blocks: z.unknown().optional() });

type Block = z.infer<typeof blockSchema>;

/** Replies of Slack to a failed message, by status. */
const REPLIES: Readonly<Record<number, string>> = {
  403: 'action_prohibited',
  404: 'no_service',
  410: 'channel_is_archived',
  500: 'rollup_error',
};

function respond(status: number, text: string, headers: readonly string[] = []): HttpResponse {
  return createTextResponse(status, { type: 'text/html', text, headers });
}

function accept(body: string): HttpResponse {
  const message = messageSchema.safeParse(parseJson(body));
  if (!message.success) return respond(400, 'invalid_payload');
  const { text, blocks } = message.data;
  if (blocks === undefined) return text ? respond(200, 'ok') : respond(400, 'no_text');
  return blocksSchema.safeParse(blocks).success ? respond(200, 'ok') : respond(400, 'invalid_blocks');
}

function listBlockTexts(block: Block): (string | undefined)[] {
  switch (block.type) {
    case 'divider':
      return [];
    case 'header':
      return [block.text.text];
    case 'section':
      return [block.text?.text, ...(block.fields ?? []).map(({ text }) => text)];
    case 'context':
      return block.elements.map(({ text }) => text);
  }
}

/** Converts Slack's format to the text that a reader sees. A link is followed by its URL. Mentions stay visible. */
function toPlainText(mrkdwn: string): string {
  return mrkdwn
    .replaceAll(/<(https?:[^|>]*)\|([^>]*)>/g, '$2 ($1)')
    .replaceAll(/<(https?:[^|>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function readText(body: string): string | null {
  const message = messageSchema.safeParse(parseJson(body));
  if (!message.success) return null;
  const blocks = blocksSchema.safeParse(message.data.blocks);
  // Slack shows the blocks of a message. It shows the `text` only if the message has no blocks.
  const parts = blocks.success ? blocks.data.flatMap(listBlockTexts) : [message.data.text];
  const text = joinText(parts);
  return text === null ? null : toPlainText(text);
}

export const slackService: ImitatedService = {
  channel: 'slack',
  removedStatus: 404,
  accept,
  fail: (status) => respond(status, REPLIES[status] ?? 'error'),
  limit: (waitMs) => respond(429, 'rate_limited', ['Retry-After', formatRetryAfter(waitMs)]),
  read: (body) => ({ type: null, text: readText(body) }),
};
