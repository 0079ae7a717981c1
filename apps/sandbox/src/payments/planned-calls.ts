import { drawAt, drawKey } from '../draw.ts';
import type { Resident } from '../resident.ts';
import type { Buyers } from '../scenario-schema.ts';

/** Somebody is going to call an endpoint and pay for it, if it can be paid then. */
export interface PlannedCall {
  readonly resident: Resident;
  /** World time, in milliseconds since 1970. */
  readonly at: number;
  /** Name of the wallet that pays: one of `buyersOf`, or the seller's as `sellerName` has it. */
  readonly buyer: string;
  /** Whether the buyer is the seller. */
  readonly wash: boolean;
}

export interface PlanOptions {
  readonly residents: readonly Resident[];
  readonly seed: string;
  /** The world's first moment, in milliseconds since 1970; days are counted from it. */
  readonly epoch: number;
}

/** From `after`, exclusive, to `through`, inclusive; milliseconds since 1970. */
export interface Span {
  readonly after: number;
  readonly through: number;
}

const DAY_MS = 86_400_000;
/** Customers buy at more than one endpoint, so they come from one crowd. */
const CROWD = 40;
/** More than any day has calls, so that no two days share a draw. */
const CALLS_LIMIT = 1_000;

interface Trade extends Buyers {
  readonly resident: Resident;
  readonly key: number;
  readonly by: 'customers' | 'wash' | 'seller';
}

/** The name under which a wallet of the scenario pays itself. */
export const sellerName = (wallet: string): string => `seller ${wallet}`;

/** Everything that is bought at an endpoint, with the key of its chances. */
const tradesOf = ({ residents, seed }: PlanOptions): Trade[] =>
  residents.flatMap((resident) => {
    const { name, customers, washTrading, selfPayments } = resident.endpoint;
    const trade = (of: Buyers | undefined, by: Trade['by'], label: string): Trade[] =>
      of ? [{ ...of, resident, by, key: drawKey(seed, `${name} ${label}`) }] : [];
    return [
      ...trade(customers, 'customers', 'sales'),
      ...trade(washTrading, 'wash', 'wash'),
      ...trade(selfPayments && { ...selfPayments, wallets: 1 }, 'seller', 'self'),
    ];
  });

/** Each endpoint has its part of the crowd, and each seller who trades with itself has wallets for that. */
const buyerName = ({ by, key, resident }: Trade, index: number): string => {
  if (by === 'seller') return sellerName(resident.endpoint.wallet);
  return by === 'wash' ? `wash ${resident.endpoint.wallet} ${index}` : `agent ${(key + index) % CROWD}`;
};

/** A few buyers buy much and many buy little: the square of a uniform draw. */
const buyerOf = (trade: Trade, step: number): string =>
  buyerName(trade, Math.floor(drawAt(trade.key, 'call-buyer', step) ** 2 * trade.wallets));

/** Between seven and thirteen tenths of the usual calls. */
const callsOn = ({ key, callsPerDay }: Trade, day: number): number =>
  Math.floor(
    callsPerDay * (0.7 + 0.6 * drawAt(key, 'call-count', day)) + drawAt(key, 'call-count', -1 - day),
  );

const callsOfDay = (trade: Trade, day: number, epoch: number): PlannedCall[] =>
  Array.from({ length: callsOn(trade, day) }, (_, index) => {
    const step = day * CALLS_LIMIT + index;
    const at = epoch + Math.floor((day + drawAt(trade.key, 'call-time', step)) * DAY_MS);
    return { resident: trade.resident, at, buyer: buyerOf(trade, step), wash: trade.by !== 'customers' };
  });

/**
 * Who buys what in a span of time, in order of time: a pure function of the scenario, the seed and the day, whether it
 * is asked for in one piece or in many. Nothing is bought before the world's first moment.
 */
export const plannedCalls = (options: PlanOptions, { after, through }: Span): PlannedCall[] => {
  const { epoch } = options;
  const first = Math.max(0, Math.floor((after - epoch) / DAY_MS));
  const last = Math.floor((through - epoch) / DAY_MS);
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return tradesOf(options)
    .flatMap((trade) => days.flatMap((day) => callsOfDay(trade, day, epoch)))
    .filter(({ at }) => at > after && at <= through)
    .toSorted((a, b) => a.at - b.at);
};

/** The names of all wallets that ever buy from others. */
export const buyersOf = (options: PlanOptions): string[] => {
  const trades = tradesOf(options).filter(({ by }) => by !== 'seller');
  const names = trades.flatMap((trade) =>
    Array.from({ length: trade.wallets }, (_, index) => buyerName(trade, index)),
  );
  return [...new Set(names)];
};
