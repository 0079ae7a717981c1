import type { ScoreInputs } from '../types.ts';

/** Buyers of an endpoint of the sandbox, as its scenario has them: customers, or wallets of the seller's own. */
export interface Buyers {
  readonly wallets: number;
  readonly callsPerDay: number;
}

/** What a story of the sandbox is paid in the 14 days of that world. */
export interface Sales {
  readonly buyers: readonly Buyers[];
  /** For how many days at which price, at the wallet that it advertises in the end. Calls that fail are not paid. */
  readonly at: readonly (readonly [days: number, priceUsd: number])[];
}

/** Its chain is read, and nobody paid. */
export const NOBODY: Sales = { buyers: [], at: [] };

/** A sale at one price. */
export function sold(wallets: number, callsPerDay: number, ...at: Sales['at']): Sales {
  return { buyers: [{ wallets, callsPerDay }], at };
}

/**
 * What is to be expected on the chain. Each call is by the wallet at the square of a uniform draw, so the first of n
 * wallets makes 1/√n of the calls.
 */
export function settlementOf({ buyers, at }: Sales): NonNullable<ScoreInputs['settlement']> {
  const calls = buyers.reduce((sum, { callsPerDay }) => sum + callsPerDay, 0);
  const most = Math.max(0, ...buyers.map(({ wallets, callsPerDay }) => callsPerDay / Math.sqrt(wallets)));
  return {
    volumeUsd30d: calls * at.reduce((sum, [days, price]) => sum + days * price, 0),
    payers30d: buyers.reduce((sum, { wallets }) => sum + wallets, 0),
    topPayerShare: calls === 0 ? 0 : most / calls,
  };
}

/**
 * The activity of formula 1.0.0 as it is written: half the volume (1 dollar is 0.1, 10,000 are 1, on a logarithmic scale,
 * and in proportion below a dollar) less the largest payer's share, half the payers (1 is 0.1, 100 are 1).
 */
export function activityOf(sales: Sales): number {
  const { volumeUsd30d, payers30d, topPayerShare } = settlementOf(sales);
  if (payers30d === 0) return 0;
  const volume =
    volumeUsd30d < 1 ? 0.1 * volumeUsd30d : Math.min(1, 0.1 + (0.9 * Math.log10(volumeUsd30d)) / 4);
  const payers = 0.1 + (0.9 * Math.log10(payers30d)) / 2;
  return (volume * (1 - topPayerShare) + payers) / 2;
}
