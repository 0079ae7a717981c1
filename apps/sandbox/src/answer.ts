import { drawAt } from './draw.ts';
import type { HttpReply } from './http-reply.ts';
import { methodMismatchReply, serverErrorReply } from './plain-replies.ts';
import type { Resident } from './resident.ts';
import type { Behaviour, BehaviourKind, Endpoint } from './scenario-schema.ts';
import { stateAt } from './timeline.ts';

/** What happens to a request: an answer after a while, a connection cut after a while, or nothing ever. */
export type Answer =
  | {
      readonly transport: 'reply';
      readonly reply: HttpReply;
      readonly delayMs: number;
      readonly dripMs: number;
    }
  | { readonly transport: 'reset'; readonly delayMs: number }
  | { readonly transport: 'hang' };

export interface Ask {
  readonly method: string;
  /** The path as it was asked for, without its query. */
  readonly path: string;
  /** The item of a templated path; "" for every other. */
  readonly item: string;
}

const SECOND = 1_000;
/** These befall every request before its method is looked at. */
const METHOD_BLIND: ReadonlySet<BehaviourKind> = new Set(['server-error', 'gone', 'blocked', 'redirect']);
const FLAKY_REPLY = serverErrorReply(500);
const MISMATCH_REPLIES: Readonly<Record<Endpoint['method'], HttpReply>> = {
  GET: methodMismatchReply('GET'),
  POST: methodMismatchReply('POST'),
};

const accepts = ({ method }: Endpoint, asked: string): boolean =>
  asked === method || (asked === 'HEAD' && method === 'GET');

/** Most answers come near the fastest, a few take long: the square of a uniform draw. */
const latencyAt = (resident: Resident, behaviour: Behaviour, second: number): number => {
  const [least, most] = behaviour.kind === 'slow' ? behaviour.latencyMs : resident.endpoint.latencyMs;
  return Math.round(least + (most - least) * drawAt(resident.drawKey, 'latency', second) ** 2);
};

const flakyFailure = (
  resident: Resident,
  behaviour: Behaviour,
  second: number,
): 'server-error' | 'reset' | null => {
  if (behaviour.kind !== 'flaky') return null;
  if (drawAt(resident.drawKey, 'failure', second) >= behaviour.rate) return null;
  if (behaviour.failure !== 'mixed') return behaviour.failure;
  return drawAt(resident.drawKey, 'failure-mode', second) < 0.5 ? 'server-error' : 'reset';
};

/**
 * What an endpoint does with a request: a pure function of the world's seed and epoch (held by the resident), the
 * request and the world time. Chance is drawn anew each second.
 * @param at world time, in milliseconds since 1970
 */
export const answerTo = (resident: Resident, ask: Ask, at: number): Answer => {
  const state = stateAt(resident.timeline, at);
  const { behaviour } = state;
  if (behaviour.kind === 'hanging') return { transport: 'hang' };

  const second = Math.floor(at / SECOND);
  const delayMs = latencyAt(resident, behaviour, second);
  const failure = flakyFailure(resident, behaviour, second);
  if (failure === 'reset') return { transport: 'reset', delayMs };
  if (failure === 'server-error') return { transport: 'reply', reply: FLAKY_REPLY, delayMs, dripMs: 0 };

  if (!METHOD_BLIND.has(behaviour.kind) && !accepts(resident.endpoint, ask.method))
    return { transport: 'reply', reply: MISMATCH_REPLIES[resident.endpoint.method], delayMs, dripMs: 0 };
  const dripMs = behaviour.kind === 'slow-drip' ? behaviour.durationMs : 0;
  return {
    transport: 'reply',
    reply: resident.reply(state, { path: ask.path, id: ask.item }),
    delayMs,
    dripMs,
  };
};
