import { challengeReply } from './challenge-reply.ts';
import type { ChallengeContext } from './challenge.ts';
import { drawAt, drawKey } from './draw.ts';
import type { HttpReply } from './http-reply.ts';
import { templateParameters } from './path-template.ts';
import {
  botPageReply,
  dataReply,
  goneReply,
  rateLimitReply,
  redirectReply,
  serverErrorReply,
} from './plain-replies.ts';
import type { Endpoint, Scenario } from './scenario-schema.ts';
import { timelineOf } from './timeline.ts';
import type { EndpointState, Timeline } from './timeline.ts';

/** What was asked for where the path is a template: the path as asked, and the item's id; "" for every other. */
interface AskedItem {
  readonly path: string;
  readonly id: string;
}

/** An endpoint that lives in a world of one seed and epoch. */
export interface Resident {
  readonly endpoint: Endpoint;
  readonly host: string;
  /** As listed; may be a template. */
  readonly path: string;
  readonly templated: boolean;
  readonly timeline: Timeline;
  readonly drawKey: number;
  /** What it answers in a state; `item` is "" unless the path is a template. */
  readonly reply: (state: EndpointState, item: AskedItem) => HttpReply;
  /** What it asks for in a state. */
  readonly terms: (state: EndpointState, item: AskedItem) => ChallengeContext;
}

export interface WorldOptions {
  readonly scenario: Scenario;
  readonly seed: string;
  /** The world's first moment, in milliseconds since 1970. */
  readonly epoch: number;
}

const replyOf = (context: ChallengeContext): HttpReply => {
  const { behaviour } = context.state;
  switch (behaviour.kind) {
    case 'free':
      return dataReply(context.endpoint);
    case 'server-error':
      return serverErrorReply(behaviour.status);
    case 'gone':
      return goneReply(behaviour.status);
    case 'blocked':
      return behaviour.by === 'bot-page' ? botPageReply() : rateLimitReply();
    case 'redirect':
      return redirectReply(behaviour.location);
    default:
      return challengeReply(context);
  }
};

/** Remembers the answer of each state: it never changes, and a request must cost as little as possible. */
const remembered = (make: (state: EndpointState) => HttpReply) => {
  const replies = new Map<EndpointState, HttpReply>();
  return (state: EndpointState): HttpReply => {
    const known = replies.get(state);
    if (known) return known;
    const reply = make(state);
    replies.set(state, reply);
    return reply;
  };
};

const termsOf = (endpoint: Endpoint, { scenario, seed }: WorldOptions, key: number): Resident['terms'] => {
  const { host, path } = addressOf(endpoint);
  const common = { seed, tokens: scenario.tokens, endpoint };
  if (templateParameters(path).length === 0)
    return (state) => ({ ...common, state, priceFactor: 1, resourceUrl: endpoint.url });
  return (state, item) => ({
    ...common,
    state,
    priceFactor: 1 + drawAt(key, 'item-price', drawKey(seed, item.id)) * (endpoint.priceSpread - 1),
    resourceUrl: `https://${host}${item.path}`,
  });
};

const replier = (path: string, terms: Resident['terms']): Resident['reply'] => {
  const fresh: Resident['reply'] = (state, item) => replyOf(terms(state, item));
  if (templateParameters(path).length > 0) return fresh;
  return remembered((state) => fresh(state, { path, id: '' }));
};

const addressOf = (endpoint: Endpoint): { host: string; path: string } => {
  const [host = '', ...segments] = endpoint.url.replace('https://', '').split('/');
  return { host, path: `/${segments.join('/')}` };
};

/** Settles a scenario's endpoints in a world. */
export const residentsOf = (world: WorldOptions): Resident[] =>
  world.scenario.endpoints.map((endpoint) => {
    const key = drawKey(world.seed, endpoint.name);
    const { host, path } = addressOf(endpoint);
    const terms = termsOf(endpoint, world, key);
    return {
      endpoint,
      host,
      path,
      templated: templateParameters(path).length > 0,
      timeline: timelineOf(endpoint, world.epoch),
      drawKey: key,
      terms,
      reply: replier(path, terms),
    };
  });
