import { DAY_MS } from '@touchstone/common';
import type { Behaviour, EndpointDefinition, Phase } from './scenario-schema.ts';

/** Payment terms, listing and behaviour of an endpoint between two phase changes. */
export interface EndpointState {
  /**
   * Simulated time at which the state begins, in milliseconds since 1970. The first state also applies before that
   * time.
   */
  readonly from: number;
  readonly behaviour: Behaviour;
  readonly description: string;
  readonly priceUsd: string;
  readonly wallet: string;
  readonly tokens: readonly string[];
  readonly listed: boolean;
}

/** States of one endpoint, ordered by time; never empty. */
export type Timeline = readonly [EndpointState, ...EndpointState[]];

function applyPhase(state: EndpointState, phase: Phase, epoch: number): EndpointState {
  return {
    from: epoch + phase.fromDay * DAY_MS,
    behaviour: phase.behaviour ?? state.behaviour,
    description: phase.description ?? state.description,
    priceUsd: phase.priceUsd ?? state.priceUsd,
    wallet: phase.wallet ?? state.wallet,
    tokens: phase.tokens ?? state.tokens,
    listed: phase.listed ?? state.listed,
  };
}

/**
 * Builds the timeline of an endpoint. Each phase changes the properties that it defines and keeps all others.
 * @param epoch start of the simulated time, in milliseconds since 1970; `fromDay` counts from it
 */
export function buildTimeline(endpoint: EndpointDefinition, epoch: number): Timeline {
  const { behaviour, description, priceUsd, wallet, tokens, listed } = endpoint;
  const first: EndpointState = { from: epoch, behaviour, description, priceUsd, wallet, tokens, listed };
  const phases = endpoint.phases.toSorted((a, b) => a.fromDay - b.fromDay);
  const rest: EndpointState[] = [];
  for (const phase of phases) rest.push(applyPhase(rest.at(-1) ?? first, phase, epoch));
  return [first, ...rest];
}

/** Returns the state at a simulated time, in milliseconds since 1970. */
export function getStateAt(timeline: Timeline, at: number): EndpointState {
  return timeline.findLast((state) => state.from <= at) ?? timeline[0];
}
