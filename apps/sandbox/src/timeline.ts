import type { Behaviour, Endpoint, Phase } from './scenario-schema.ts';

const DAY_MS = 86_400_000;

/** What an endpoint asks for and how it behaves between two changes. */
export interface EndpointState {
  /** World time from which this holds, in milliseconds since 1970. The first state holds before it, too. */
  readonly from: number;
  readonly behaviour: Behaviour;
  readonly description: string;
  readonly priceUsd: string;
  readonly wallet: string;
  readonly tokens: readonly string[];
  readonly listed: boolean;
}

/** States in order of time; there is always a first one. */
export type Timeline = readonly [EndpointState, ...EndpointState[]];

const applied = (state: EndpointState, phase: Phase, epoch: number): EndpointState => ({
  from: epoch + phase.fromDay * DAY_MS,
  behaviour: phase.behaviour ?? state.behaviour,
  description: phase.description ?? state.description,
  priceUsd: phase.priceUsd ?? state.priceUsd,
  wallet: phase.wallet ?? state.wallet,
  tokens: phase.tokens ?? state.tokens,
  listed: phase.listed ?? state.listed,
});

/**
 * An endpoint's life: each phase keeps what the one before it said and changes what it names.
 * @param epoch the world's first moment, in milliseconds since 1970; phases count their days from it
 */
export const timelineOf = (endpoint: Endpoint, epoch: number): Timeline => {
  const { behaviour, description, priceUsd, wallet, tokens, listed } = endpoint;
  const first: EndpointState = { from: epoch, behaviour, description, priceUsd, wallet, tokens, listed };
  const phases = endpoint.phases.toSorted((a, b) => a.fromDay - b.fromDay);
  const rest: EndpointState[] = [];
  for (const phase of phases) rest.push(applied(rest.at(-1) ?? first, phase, epoch));
  return [first, ...rest];
};

/** The state at a world time, in milliseconds since 1970. */
export const stateAt = (timeline: Timeline, at: number): EndpointState =>
  timeline.findLast((state) => state.from <= at) ?? timeline[0];
