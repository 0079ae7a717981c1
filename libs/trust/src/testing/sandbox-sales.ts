import type { ScoreInputs } from '../types.ts';

/** Group of buyers of a sandbox endpoint, as in the sandbox scenario: customers, or wallets of the seller. */
export interface Buyers {
  readonly wallets: number;
  readonly callsPerDay: number;
  /** True for wash trading: the seller sends the payments of each day back at the end of the day. */
  readonly isReturned?: true;
}

/** Sales of a sandbox endpoint in the 14 simulated days. */
export interface Sales {
  readonly buyers: readonly Buyers[];
  /**
   * Periods with a duration in days and a price. Only sales to the wallet that is advertised at the end are included. A
   * period with failed calls is shortened by the share of these calls, because failed calls are not paid.
   */
  readonly at: readonly (readonly [days: number, priceUsd: number])[];
}

/** Sales of an endpoint that has no sales. The chain of the endpoint is read, so activity is measured. */
export const NO_SALES: Sales = { buyers: [], at: [] };

/** Returns sales whose payments are sent back to the buyers. */
export function createReturnedSales(wallets: number, callsPerDay: number, ...at: Sales['at']): Sales {
  return { buyers: [{ wallets, callsPerDay, isReturned: true }], at };
}

/** Returns sales to one group of buyers. */
export function createSales(wallets: number, callsPerDay: number, ...at: Sales['at']): Sales {
  return { buyers: [{ wallets, callsPerDay }], at };
}

/**
 * Computes the settlements that the sales are expected to cause on the chain. The sandbox selects the wallet of each
 * call by the square of a uniform random number, so the first of n wallets makes 1/√n of the calls.
 */
export function computeSettlement({ buyers, at }: Sales): NonNullable<ScoreInputs['settlement']> {
  const customers = buyers.filter(({ isReturned }) => isReturned !== true);
  const sumCalls = (groups: readonly Buyers[]) =>
    groups.reduce((sum, { callsPerDay }) => sum + callsPerDay, 0);
  const calls = sumCalls(customers);
  const returnedCalls = sumCalls(buyers) - calls;
  const dollarsPerCall = at.reduce((sum, [days, price]) => sum + days * price, 0);
  const maxCallsPerDay = Math.max(
    0,
    ...customers.map(({ wallets, callsPerDay }) => callsPerDay / Math.sqrt(wallets)),
  );
  return {
    volumeUsd30d: calls * dollarsPerCall,
    ...(returnedCalls === 0 ? {} : { returnedUsd30d: returnedCalls * dollarsPerCall }),
    payers30d: customers.reduce((sum, { wallets }) => sum + wallets, 0),
    topPayerShare: calls === 0 ? null : maxCallsPerDay / calls,
  };
}

/**
 * Computes the activity value from the text of formula 1.0.0: the mean of a volume value and a payer value, both on a
 * logarithmic scale. A volume of one dollar gives 0.1 and 10,000 dollars give 1; below one dollar, the value is
 * proportional. The share of the largest payer reduces the volume value. One payer gives 0.1 and 100 payers give 1.
 */
export function computeActivity(sales: Sales): number {
  const { volumeUsd30d, payers30d, topPayerShare } = computeSettlement(sales);
  if (payers30d === 0) return 0;
  const volume =
    volumeUsd30d < 1 ? 0.1 * volumeUsd30d : Math.min(1, 0.1 + (0.9 * Math.log10(volumeUsd30d)) / 4);
  const payers = 0.1 + (0.9 * Math.log10(payers30d)) / 2;
  return (volume * (1 - (topPayerShare ?? 0)) + payers) / 2;
}
