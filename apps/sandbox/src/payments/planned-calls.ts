import { DAY_MS } from '@touchstone/common';
import { CHAIN_NETWORKS, type ChainNetwork } from '../chain/network.ts';
import type { SimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';
import type { Buyers } from '../scenario/scenario-schema.ts';
import { deriveRandomKey, drawRandom } from '../scenario/seeded-values.ts';
import type { EndpointState } from '../scenario/timeline.ts';

/**
 * Returns the network on which agents pay an endpoint in the given state: the first network in the challenge that has a
 * chain. Returns null when no accepted network has a chain.
 */
export function getPaymentNetwork(endpoint: SimulatedEndpoint, state: EndpointState): ChainNetwork | null {
  for (const id of endpoint.listNetworks(state)) {
    const network = CHAIN_NETWORKS.find((each) => each.id === id);
    if (network) return network;
  }
  return null;
}

/** Selects the endpoints that agents pay on a network in at least one state. */
export function selectEndpointsPaidOn(
  endpoints: readonly SimulatedEndpoint[],
  network: ChainNetwork,
): SimulatedEndpoint[] {
  return endpoints.filter((endpoint) =>
    endpoint.timeline.some((state) => getPaymentNetwork(endpoint, state)?.id === network.id),
  );
}

/** Planned call of an endpoint by an agent. The agent pays only if the endpoint can be paid at that time. */
export interface PlannedCall {
  readonly endpoint: SimulatedEndpoint;
  /** Simulated time, in milliseconds since 1970. */
  readonly at: number;
  /** Name of the paying wallet: a name from `listBuyerNames`, or a name from `toSellerName` for a self-payment. */
  readonly buyer: string;
  /** True for wash trading, when the payer is a wallet of the seller. */
  readonly wash: boolean;
}

export interface PlanOptions {
  readonly endpoints: readonly SimulatedEndpoint[];
  readonly seed: string;
  /** Start of the simulated time, in milliseconds since 1970. Day 0 begins at this time. */
  readonly epoch: number;
}

/** Time span in milliseconds since 1970. It begins after `after` and includes `through`. */
export interface TimeSpan {
  readonly after: number;
  readonly through: number;
}

/**
 * Number of customer wallets. All endpoints share these wallets, so that a customer buys from more than one endpoint.
 */
const CUSTOMER_WALLETS = 40;
/**
 * Upper bound of an endpoint's calls per day. The random numbers of a call have the index "day × this bound + number of
 * the call". So two calls never share random numbers.
 */
const MAX_CALLS_PER_DAY = 1_000;

/** Buyers of one endpoint: its customers, its wallets for wash trading, or the seller itself. */
interface BuyerGroup extends Buyers {
  readonly endpoint: SimulatedEndpoint;
  readonly randomKey: number;
  readonly by: 'customers' | 'wash' | 'seller';
}

export function toSellerName(wallet: string): string {
  return `seller ${wallet}`;
}

/**
 * Lists the groups of buyers of all endpoints. The random numbers of a group are derived from its label, so another
 * label would give other calls.
 */
function listBuyerGroups({ endpoints, seed }: PlanOptions): BuyerGroup[] {
  return endpoints.flatMap((endpoint) => {
    const { name, customers, washTrading, selfPayments } = endpoint.definition;
    const createGroups = (buyers: Buyers | undefined, by: BuyerGroup['by'], label: string): BuyerGroup[] =>
      buyers ? [{ ...buyers, endpoint, by, randomKey: deriveRandomKey(seed, `${name} ${label}`) }] : [];
    return [
      ...createGroups(customers, 'customers', 'sales'),
      ...createGroups(washTrading, 'wash', 'wash'),
      ...createGroups(selfPayments && { ...selfPayments, wallets: 1 }, 'seller', 'self'),
    ];
  });
}

/**
 * Returns the name of a buyer in a group. The customers of all endpoints share wallets. Each seller with wash trading
 * has its own wallets.
 */
function getBuyerName({ by, randomKey, endpoint }: BuyerGroup, index: number): string {
  const { wallet } = endpoint.definition;
  if (by === 'seller') return toSellerName(wallet);
  return by === 'wash' ? `wash ${wallet} ${index}` : `agent ${(randomKey + index) % CUSTOMER_WALLETS}`;
}

/** Draws the buyer of a call at random. Squaring the uniform random number gives many calls to a few buyers. */
function drawBuyer(group: BuyerGroup, step: number): string {
  return getBuyerName(
    group,
    Math.floor(drawRandom(group.randomKey, 'call-buyer', step) ** 2 * group.wallets),
  );
}

/** Draws the number of calls on a day: between 70 % and 130 % of the mean. */
function drawCallCount({ randomKey, callsPerDay }: BuyerGroup, day: number): number {
  return Math.floor(
    callsPerDay * (0.7 + 0.6 * drawRandom(randomKey, 'call-count', day)) +
      drawRandom(randomKey, 'call-count', -1 - day),
  );
}

function planDay(group: BuyerGroup, day: number, epoch: number): PlannedCall[] {
  return Array.from({ length: drawCallCount(group, day) }, (_, index) => {
    const step = day * MAX_CALLS_PER_DAY + index;
    const at = epoch + Math.floor((day + drawRandom(group.randomKey, 'call-time', step)) * DAY_MS);
    return { endpoint: group.endpoint, at, buyer: drawBuyer(group, step), wash: group.by !== 'customers' };
  });
}

/**
 * Plans the calls in a time span, ordered by time. The result depends only on the scenario, the seed, the epoch and the
 * span. Adjacent spans give the same calls as one long span. No calls are planned before the epoch.
 */
export function planCalls(options: PlanOptions, { after, through }: TimeSpan): PlannedCall[] {
  const { epoch } = options;
  const first = Math.max(0, Math.floor((after - epoch) / DAY_MS));
  const last = Math.floor((through - epoch) / DAY_MS);
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return listBuyerGroups(options)
    .flatMap((group) => days.flatMap((day) => planDay(group, day, epoch)))
    .filter(({ at }) => at > after && at <= through)
    .toSorted((a, b) => a.at - b.at);
}

/** Lists the names of all buyers except the sellers that pay themselves. */
export function listBuyerNames(options: PlanOptions): string[] {
  const groups = listBuyerGroups(options).filter(({ by }) => by !== 'seller');
  const names = groups.flatMap((group) =>
    Array.from({ length: group.wallets }, (_, index) => getBuyerName(group, index)),
  );
  return [...new Set(names)];
}
