import { DAY_MS } from '@touchstone/common';
import type { Behaviour, EndpointDefinition, Phase, Scenario } from './scenario-schema.ts';

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
 * @param epoch start of day 0 of the simulated time, in milliseconds since 1970
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

/** Changes that can be made to an endpoint while the sandbox runs. */
export const CHANGES = ['payto', 'price', 'asset', 'challenge', 'listing', 'outage'] as const;

export type Change = (typeof CHANGES)[number];

const PRICE_FACTOR = 10n;
/** Decimals of a price in US dollars. */
const PRICE_DECIMALS = 6;
const OUTAGE_STATUS = 503;

/** Multiplies a price by `PRICE_FACTOR`. The price is in US dollars, with at most six decimals. */
function multiplyPrice(priceUsd: string): string {
  const [whole = '0', fraction = ''] = priceUsd.split('.');
  const digits = String(BigInt(whole + fraction.padEnd(PRICE_DECIMALS, '0')) * PRICE_FACTOR);
  const padded = digits.padStart(PRICE_DECIMALS + 1, '0');
  return `${padded.slice(0, -PRICE_DECIMALS)}.${padded.slice(-PRICE_DECIMALS)}`.replace(/\.?0+$/, '');
}

/**
 * Returns the first token of the scenario that the endpoint does not accept. The x402 version of the endpoint must have
 * a name for the network of the token.
 */
function selectOtherToken(
  accepted: readonly string[],
  { protocol }: EndpointDefinition,
  tokens: Scenario['tokens'],
): string[] {
  const other = Object.entries(tokens).find(
    ([name, { v1Network }]) => !accepted.includes(name) && (protocol === 'v2' || v1Network !== undefined),
  );
  return other ? [other[0]] : [...accepted];
}

/** Values that determine the effect of a change on an endpoint. */
export interface ChangeContext {
  readonly definition: EndpointDefinition;
  readonly tokens: Scenario['tokens'];
}

function applyChange(state: EndpointState, change: Change, context: ChangeContext): EndpointState {
  switch (change) {
    case 'payto':
      return { ...state, wallet: `other than ${state.wallet}` };
    case 'price':
      return { ...state, priceUsd: multiplyPrice(state.priceUsd) };
    case 'asset':
      return { ...state, tokens: selectOtherToken(state.tokens, context.definition, context.tokens) };
    case 'challenge':
      return { ...state, behaviour: { kind: 'malformed', fault: 'truncated-json' } };
    case 'listing':
      return { ...state, listed: false };
    case 'outage':
      return { ...state, behaviour: { kind: 'server-error', status: OUTAGE_STATUS } };
  }
}

/** Changes of an endpoint, and the simulated time of their start in milliseconds since 1970. */
export interface ChangesFrom {
  readonly changes: ReadonlySet<Change>;
  readonly from: number;
}

/**
 * Returns the timeline of an endpoint with changes from a time on. The new changes replace all earlier changes from
 * that time on. So an empty set restores the scenario. States before that time stay the same. An outage hides a
 * malformed challenge.
 * @param timeline current timeline; it can contain earlier changes
 * @param scenario timeline without changes
 */
export function changeTimeline(
  { timeline, scenario }: { timeline: Timeline; scenario: Timeline },
  { changes, from }: ChangesFrom,
  context: ChangeContext,
): Timeline {
  const apply = (state: EndpointState): EndpointState =>
    CHANGES.filter((change) => changes.has(change)).reduce(
      (changed, change) => applyChange(changed, change, context),
      state,
    );
  const past = timeline.filter((state) => state.from < from);
  const present = apply({ ...getStateAt(scenario, from), from });
  const future = scenario.filter((state) => state.from > from).map(apply);
  const [first = present, ...rest] = [...past, present, ...future];
  return [first, ...rest];
}
