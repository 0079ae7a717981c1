import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { PAUSE_SECONDS, selectReaction, type Reaction } from './faults.ts';

/**
 * Program of a child process: one HTTPS server with the receivers of many destinations. The path `/d/17` belongs to
 * destination 17. Argument: folder of the certificate and key. It replies to each order of the parent process.
 */
export type ReceiverOrder =
  /** Replies with the port of the server. */
  | { readonly kind: 'port' }
  /** Begins a round whose messages are kept. Replies when this is done. */
  | { readonly kind: 'begin' }
  /** Resets the attempts to the begin of the round, so that the same messages get the same reactions again. */
  | { readonly kind: 'repeat' }
  /** Replies with the results since the last order `begin` or `repeat`. */
  | { readonly kind: 'take' };

/** Message that a receiver got. */
export interface ReceivedMessage {
  readonly destination: number;
  readonly sequence: number;
  readonly id: string;
  /** Header fields of the signatures. */
  readonly headers: Readonly<Record<'x-signature' | 'webhook-timestamp' | 'webhook-signature', string>>;
  readonly body: string;
  readonly reaction: Reaction;
  /** Time of arrival in milliseconds since the epoch, for the order of messages to different servers. */
  readonly arrivedAt: number;
}

export interface ReceiverResult {
  /** Messages in the order of arrival; empty for a repetition. */
  readonly received: readonly ReceivedMessage[];
  /** Number of messages that were accepted. */
  readonly accepted: number;
  /** Maximum number of messages that one destination had in flight at a time. */
  readonly maxInFlight: number;
}

const [folder = ''] = process.argv.slice(2);

/** Numbers of attempts by destination and sequence, now and at the begin of the round. */
let attempts = new Map<string, number>();
let attemptsBefore = new Map<string, number>();
const inFlight = new Map<number, number>();
let isKept = false;
let received: ReceivedMessage[] = [];
let accepted = 0;
let maxInFlight = 0;

function readHeader({ headers }: IncomingMessage, name: string): string {
  return String(headers[name] ?? '');
}

function respond(response: ServerResponse, reaction: Reaction): void {
  if (reaction === 'no-response') return;
  if (reaction === 'closed') response.destroy();
  else {
    const pause = reaction === 429 ? { 'retry-after': String(PAUSE_SECONDS) } : {};
    response.writeHead(reaction, { 'content-type': 'application/json', ...pause }).end('{"ok":true}');
  }
}

function countInFlight(destination: number, change: number): void {
  const count = (inFlight.get(destination) ?? 0) + change;
  inFlight.set(destination, count);
  maxInFlight = Math.max(maxInFlight, count);
}

function receive(request: IncomingMessage, response: ServerResponse, body: string): void {
  const destination = Number(request.url?.slice('/d/'.length));
  const id = readHeader(request, 'webhook-id');
  const sequence = Number(id.slice(id.lastIndexOf('_') + 1));
  const key = `${destination} ${sequence}`;
  const attempt = (attempts.get(key) ?? 0) + 1;
  attempts.set(key, attempt);
  const reaction = selectReaction(destination, sequence, attempt);
  if (reaction === 200) accepted += 1;
  if (isKept) {
    const headers = {
      'x-signature': readHeader(request, 'x-signature'),
      'webhook-timestamp': readHeader(request, 'webhook-timestamp'),
      'webhook-signature': readHeader(request, 'webhook-signature'),
    };
    const arrivedAt = performance.timeOrigin + performance.now();
    received.push({ destination, sequence, id, headers, body, reaction, arrivedAt });
  }
  if (reaction === 'no-response') request.socket.once('close', () => countInFlight(destination, -1));
  else countInFlight(destination, -1);
  respond(response, reaction);
}

const identity = {
  cert: readFileSync(join(folder, 'leaf.pem')),
  key: readFileSync(join(folder, 'leaf.key')),
  minVersion: 'TLSv1.3' as const,
  // A client with kept connections must never meet a connection that the server is closing.
  keepAliveTimeout: 60_000,
};
const server = createServer(identity, (request, response) => {
  countInFlight(Number(request.url?.slice('/d/'.length)), 1);
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => (body += text));
  request.on('end', () => receive(request, response, body));
});
server.on('tlsClientError', () => undefined);
const listening = new Promise<number>((ready) => {
  server.listen(0, '127.0.0.1', 4_096, () => {
    const address = server.address();
    ready(typeof address === 'object' ? (address?.port ?? 0) : 0);
  });
});

async function execute({ kind }: ReceiverOrder): Promise<number | ReceiverResult> {
  if (kind === 'port') return listening;
  const result = { received, accepted, maxInFlight };
  if (kind === 'take') return result;
  if (kind === 'begin') attemptsBefore = new Map(attempts);
  else attempts = new Map(attemptsBefore);
  isKept = kind === 'begin';
  [received, accepted, maxInFlight] = [[], 0, 0];
  return 0;
}

process.on('disconnect', () => process.exit(0));
// The type is safe, because only receivers.ts starts this process, and it sends a ReceiverOrder.
process.on('message', (order: ReceiverOrder) => {
  void execute(order).then((reply) => process.send?.(reply));
});
