import { DAY_MS } from '@touchstone/common';
import type { SimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';
import type { Buyers } from '../scenario/scenario-schema.ts';
import { deriveRandomKey, drawRandom } from '../scenario/seeded-random.ts';

/** A planned paid call. It is paid only if the endpoint can be paid at that time. */
export interface PlannedCall {
  readonly endpoint: SimulatedEndpoint;
  /** Simulated time, in milliseconds since 1970. */
  readonly at: number;
  /** Name of the paying wallet: one of `listBuyerNames`, or a seller's name from `toSellerName`. */
  readonly buyer: string;
  /** True for wash trading: the seller pays itself. */
  readonly wash: boolean;
}

export interface PlanOptions {
  readonly endpoints: readonly SimulatedEndpoint[];
  readonly seed: string;
  /** Start of the simulated time, in milliseconds since 1970; days count from it. */
  readonly epoch: number;
}

/** A span from `after`, exclusive, to `through`, inclusive, in milliseconds since 1970. */
export interface TimeSpan {
  readonly after: number;
  readonly through: number;
}

/** Number of customer wallets. Endpoints share them, so that customers buy at more than one endpoint. */
const CUSTOMER_WALLETS = 40;
/** Upper bound of an endpoint's calls per day. It gives every call of every day its own random numbers. */
const MAX_CALLS_PER_DAY = 1_000;

/** One kind of buyers of one endpoint. */
interface Trade extends Buyers {
  readonly endpoint: SimulatedEndpoint;
  readonly randomKey: number;
  readonly by: 'customers' | 'wash' | 'seller';
}

/** Returns the buyer name of a scenario wallet that pays itself. */
export const toSellerName = (wallet: string): string => `seller ${wallet}`;

/** Lists the trades of all endpoints. The labels are part of the random keys: another label gives other calls. */
const listTrades = ({ endpoints, seed }: PlanOptions): Trade[] =>
  endpoints.flatMap((endpoint) => {
    const { name, customers, washTrading, selfPayments } = endpoint.definition;
    const createTrades = (buyers: Buyers | undefined, by: Trade['by'], label: string): Trade[] =>
      buyers ? [{ ...buyers, endpoint, by, randomKey: deriveRandomKey(seed, `${name} ${label}`) }] : [];
    return [
      ...createTrades(customers, 'customers', 'sales'),
      ...createTrades(washTrading, 'wash', 'wash'),
      ...createTrades(selfPayments && { ...selfPayments, wallets: 1 }, 'seller', 'self'),
    ];
  });

/** Returns a buyer name. Customers are a part of the shared wallets; a wash-trading seller has its own wallets. */
const getBuyerName = ({ by, randomKey, endpoint }: Trade, index: number): string => {
  const { wallet } = endpoint.definition;
  if (by === 'seller') return toSellerName(wallet);
  return by === 'wash' ? `wash ${wallet} ${index}` : `agent ${(randomKey + index) % CUSTOMER_WALLETS}`;
};

/** Draws the buyer of a call. The square of a uniform number gives a few buyers many calls. */
const drawBuyer = (trade: Trade, step: number): string =>
  getBuyerName(trade, Math.floor(drawRandom(trade.randomKey, 'call-buyer', step) ** 2 * trade.wallets));

/** Draws the number of calls on a day: between 70 % and 130 % of the mean. */
const drawCallCount = ({ randomKey, callsPerDay }: Trade, day: number): number =>
  Math.floor(
    callsPerDay * (0.7 + 0.6 * drawRandom(randomKey, 'call-count', day)) +
      drawRandom(randomKey, 'call-count', -1 - day),
  );

const planDay = (trade: Trade, day: number, epoch: number): PlannedCall[] =>
  Array.from({ length: drawCallCount(trade, day) }, (_, index) => {
    const step = day * MAX_CALLS_PER_DAY + index;
    const at = epoch + Math.floor((day + drawRandom(trade.randomKey, 'call-time', step)) * DAY_MS);
    return { endpoint: trade.endpoint, at, buyer: drawBuyer(trade, step), wash: trade.by !== 'customers' };
  });

/**
 * Plans the calls of a time span, ordered by time. The result depends only on the scenario, the seed and the span, and
 * adjacent spans give the same calls as one long span. No calls are planned before the epoch.
 */
export const planCalls = (options: PlanOptions, { after, through }: TimeSpan): PlannedCall[] => {
  const { epoch } = options;
  const first = Math.max(0, Math.floor((after - epoch) / DAY_MS));
  const last = Math.floor((through - epoch) / DAY_MS);
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return listTrades(options)
    .flatMap((trade) => days.flatMap((day) => planDay(trade, day, epoch)))
    .filter(({ at }) => at > after && at <= through)
    .toSorted((a, b) => a.at - b.at);
};

/** Lists the names of all wallets that pay other wallets. */
export const listBuyerNames = (options: PlanOptions): string[] => {
  const trades = listTrades(options).filter(({ by }) => by !== 'seller');
  const names = trades.flatMap((trade) =>
    Array.from({ length: trade.wallets }, (_, index) => getBuyerName(trade, index)),
  );
  return [...new Set(names)];
};
