import { getHeaderValues, parseJson, parseRetryAfter } from '@touchstone/common';
import type { WatchChannel } from '@touchstone/contract';
import { describeFailure, type FailurePhase, type Probe } from '@touchstone/probe';
import { cleanText } from '@touchstone/x402';
import { decodePercent } from '@touchstone/x402/json';
import { z } from 'zod';
import { getHost, isDiscordUrl, isSlackUrl } from '../destinations/url-label.ts';
import { limitPauseMs } from './schedule.ts';

/** Phases before the receiver has proved by its certificate that it is the host of the URL. No message was sent yet. */
export const UNVERIFIED_PHASES: ReadonlySet<FailurePhase | null> = new Set(['resolve', 'connect', 'tls']);

/** Result of one request to a delivery URL. */
export interface Reply {
  /**
   * `delivered`: status 2xx, and no refusal in the response of a chat. `gone`: the receiver deleted the URL. `failed`:
   * every other response, and no response. `self-failure`: this machine caused the failure.
   */
  readonly kind: 'delivered' | 'gone' | 'failed' | 'self-failure';
  /** Cause of the failure in kebab case, such as `http-404` or `timeout`; null when delivered. Never text of a server. */
  readonly error: string | null;
  /**
   * Phase in which the request failed; `response` if the receiver sent an error status or refused the message; null if
   * the message was delivered.
   */
  readonly phase: FailurePhase | null;
  /**
   * Pause that the receiver requests, in milliseconds, from 1 second to 1 hour; null if the receiver requests no pause.
   */
  readonly pauseMs: number | null;
}

/**
 * Texts of Slack for a webhook, channel or workspace that was deleted, disabled or archived. Each other response can
 * end, for example when an administrator lifts a restriction.
 */
const SLACK_GONE: ReadonlySet<unknown> = new Set([
  ...['no_service', 'no_service_id', 'no_active_hooks', 'invalid_token', 'no_team', 'team_disabled'],
  ...['channel_not_found', 'channel_is_archived'],
]);

/** Error codes of Discord for an unknown webhook and for an invalid token of a webhook. */
const DISCORD_GONE: ReadonlySet<unknown> = new Set([10_015, 50_027]);

/**
 * Hosts of Feishu, DingTalk and WeCom. They refuse a message with status 200 and a `code` or `errcode` other than 0. A
 * number in the response of another host can have another meaning.
 */
const ERROR_CODE_HOSTS: ReadonlySet<string> = new Set([
  'open.feishu.cn',
  'open.larksuite.com',
  'oapi.dingtalk.com',
  'qyapi.weixin.qq.com',
]);

/** Beginning of a web page. The type of the content is no sign of a page: Slack sends its `ok` as `text/html`. */
const WEB_PAGE = /^\s*<(!doctype html|html|head|body)\b/i;

/** Statuses with which a receiver can request a pause. */
const PAUSE_STATUSES: ReadonlySet<number | null> = new Set([429, 503]);

/** Body with which Discord requests a pause, in seconds. */
const discordPause = z.object({ retry_after: z.number().min(0) });

/** Members by which the JSON response of a chat refuses a message. */
const chatRefusal = z
  .object({
    ok: z.unknown(),
    success: z.unknown(),
    error: z.unknown(),
    code: z.unknown(),
    errcode: z.unknown(),
  })
  .partial();

/**
 * Error of a request without an HTTP response. Names without an address, refused and closed connections, timeouts and
 * TLS errors have the same error, so that nobody scans the ports of other hosts.
 */
export const NO_RESPONSE = 'no-response';

/** Classifies the response to a message, or a missing response. */
export function classifyReply(probe: Probe, channel: WatchChannel, now: number): Reply {
  const { httpStatus, outcome, failure } = probe;
  const isSuccess = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  const isRefused = isSuccess && channel !== 'webhook' && isChatRefusal(probe);
  // A receiver that sends status 2xx has the message, also when the rest of its response is missing.
  if (isSuccess && !isRefused) return { kind: 'delivered', error: null, phase: null, pauseMs: null };
  if (outcome === 'self-failure')
    return { kind: 'self-failure', error: 'self-failure', phase: failure?.phase ?? null, pauseMs: null };
  const described = httpStatus === null ? describeFailure(probe) : null;
  return {
    kind: isGone(probe, channel) ? 'gone' : 'failed',
    error: isRefused ? 'not-accepted' : (described?.error ?? `http-${httpStatus ?? 0}`),
    phase: described?.phase ?? 'response',
    pauseMs: readPauseMs(probe, now),
  };
}

/** Returns true if the receiver deleted the URL: by status 410, or by the words of Slack or Discord from their hosts. */
function isGone({ url, httpStatus, body }: Probe, channel: WatchChannel): boolean {
  if (httpStatus === 410) return true;
  if (channel === 'webhook' || httpStatus === null) return false;
  const text = body?.trim() ?? '';
  const { data } = chatRefusal.safeParse(parseJson(text));
  if (isDiscordUrl(url)) return DISCORD_GONE.has(data?.code);
  return isSlackUrl(url) && [text, data?.error].some((word) => SLACK_GONE.has(word));
}

/** Returns true if a chat refuses a message in a response with status 2xx, or if a web page responded. */
function isChatRefusal({ url, body }: Probe): boolean {
  const text = body ?? '';
  const { data } = chatRefusal.safeParse(parseJson(text));
  const codes = ERROR_CODE_HOSTS.has(getHost(url)) ? [data?.code, data?.errcode] : [];
  const hasErrorCode = codes.some((code) => typeof code === 'number' && code !== 0);
  return WEB_PAGE.test(text) || data?.ok === false || data?.success === false || hasErrorCode;
}

function readPauseMs({ httpStatus, headers, body }: Probe, now: number): number | null {
  if (!PAUSE_STATUSES.has(httpStatus)) return null;
  const get = (name: string): string | null => getHeaderValues(headers, name)[0] ?? null;
  const pauses = [parseRetryAfter({ get }, now), readBodyPauseMs(body)].filter((pause) => pause !== null);
  return pauses.length === 0 ? null : limitPauseMs(Math.max(...pauses));
}

function readBodyPauseMs(body: string | null): number | null {
  const parsed = discordPause.safeParse(parseJson(body ?? ''));
  return parsed.success ? Math.ceil(parsed.data.retry_after * 1_000) : null;
}

/** Maximum length of a response that is read, in bytes. */
export const MAX_READ_BYTES = 4_096;
/** Maximum length of a stored response, in UTF-8 bytes. */
const MAX_STORED_BYTES = 1_000;
/** Minimum length of a secret part of a URL, in characters. A stored response must not contain a secret part. */
const SECRET_CHARS = 8;

/**
 * Returns the text of a response as it is stored: one line of at most 1,000 bytes. Every part of the URL that could be
 * a secret is replaced by `…`, because some servers repeat the path in their response.
 *
 * @param url URL of the request
 * @returns null if the response has no text
 */
export function cleanReply({ body, bodyEnd }: Pick<Probe, 'body' | 'bodyEnd'>, url: string): string | null {
  if (body === null) return null;
  // The end of a truncated response is removed. It could be the beginning of a secret, too short to be recognized.
  const end = bodyEnd !== 'complete' ? Math.max(0, body.length - SECRET_CHARS) : body.length;
  const text = cleanText(redact(body, end, listSecrets(url)), MAX_STORED_BYTES);
  return text === null ? null : truncateBytes(text);
}

/**
 * Returns the text before `end`, with `…` in place of each secret part. A secret part consists of one or more
 * overlapping texts of `secrets`.
 */
function redact(text: string, end: number, secrets: ReadonlySet<string>): string {
  let redacted = '';
  let secretUntil = 0;
  for (let at = 0; at < end; at += 1) {
    if (secrets.has(text.slice(at, at + SECRET_CHARS))) {
      if (at >= secretUntil) redacted += '…';
      secretUntil = at + SECRET_CHARS;
    } else if (at >= secretUntil) redacted += text.charAt(at);
  }
  return redacted;
}

/** Lists all runs of 8 characters in the parts of path and query, as sent and without percent-encoding. */
function listSecrets(url: string): ReadonlySet<string> {
  const { pathname, search } = new URL(url);
  const parts = `${pathname}${search}`
    .split(/[/?&=;,]/)
    .flatMap((part) => [part, decodePercent(part) ?? part]);
  const listRuns = (part: string): readonly string[] =>
    Array.from({ length: Math.max(0, part.length - SECRET_CHARS + 1) }, (_, at) =>
      part.slice(at, at + SECRET_CHARS),
    );
  return new Set(parts.flatMap(listRuns));
}

function truncateBytes(text: string): string {
  const bytes = new TextEncoder().encode(text).slice(0, MAX_STORED_BYTES);
  // A character that was cut in two is left out: the decoder waits for its missing bytes.
  return new TextDecoder().decode(bytes, { stream: true });
}
