import { VERSION } from '../version.ts';
import type { Order } from './order.ts';

/** An answer that arrived whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Whether there is an answer, or why there is none. A request without an answer may have been served all the same. */
export type Exchanged = Answer | { readonly lost: string };

/** Sends an order with these header fields besides its own; never rejects. */
export type Exchange = (order: Order, headers: Headers) => Promise<Exchanged>;

/** A report takes a live probe of five seconds and a settlement, which a busy chain can hold up. */
const PATIENCE_MS = 90_000;
/** A history of 90 days takes about two megabytes. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Sends an order over HTTP. Redirects are not followed: who answers is who was asked, and is paid. */
export async function exchange({ url, body }: Order, headers: Headers): Promise<Exchanged> {
  const own = new Headers(headers);
  own.set('content-type', 'application/json');
  own.set('accept', 'application/json');
  own.set('user-agent', `Touchstone/${VERSION} (touchstone buy)`);
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url, { method: 'POST', body, headers: own, redirect: 'manual', signal });
    return { status: response.status, headers: response.headers, text: await textOf(response) };
  } catch (error) {
    return { lost: reasonOf(error) };
  }
}

async function textOf(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  const pieces: AsyncIterable<Uint8Array> = response.body;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > MOST_BYTES) throw new Error('the answer is longer than 32 MiB');
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** What fetch itself says is only that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer within 90 seconds';
  const { cause } = error;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : error.message;
}
