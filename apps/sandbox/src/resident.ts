import { challengeReply } from './challenge-reply.ts';
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
  readonly reply: (state: EndpointState, item: { readonly path: string; readonly id: string }) => HttpReply;
}

export interface WorldOptions {
  readonly scenario: Scenario;
  readonly seed: string;
  /** The world's first moment, in milliseconds since 1970. */
  readonly epoch: number;
}

type ReplyContext = Parameters<typeof challengeReply>[0];

const replyOf = (context: ReplyContext): HttpReply => {
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

const replier = (endpoint: Endpoint, { scenario, seed }: WorldOptions, key: number): Resident['reply'] => {
  const { host, path } = addressOf(endpoint);
  const common = { seed, tokens: scenario.tokens, endpoint };
  if (templateParameters(path).length === 0)
    return remembered((state) => replyOf({ ...common, state, priceFactor: 1, resourceUrl: endpoint.url }));
  return (state, item) =>
    replyOf({
      ...common,
      state,
      priceFactor: 1 + drawAt(key, 'item-price', drawKey(seed, item.id)) * (endpoint.priceSpread - 1),
      resourceUrl: `https://${host}${item.path}`,
    });
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
    return {
      endpoint,
      host,
      path,
      templated: templateParameters(path).length > 0,
      timeline: timelineOf(endpoint, world.epoch),
      drawKey: key,
      reply: replier(endpoint, world, key),
    };
  });
