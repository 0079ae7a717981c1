import type { StoredScoringInput, WalletFigures } from '@touchstone/store';
import type { ScoreInputs } from '@touchstone/trust';

/** What was settled with the wallets of an endpoint, as the formula and the report read it. */
export interface EndpointSettlement {
  readonly inputs: ScoreInputs['settlement'];
  /** Share of the advertised networks whose chain was read in the last day, 0 to 1. */
  readonly networksRead: number;
  /** Of the wallet that was paid most; null where none could be read. */
  readonly facts: {
    readonly payTo: string;
    readonly network: string;
    readonly settlements30d: number;
    /** Milliseconds since the epoch. */
    readonly lastSettledAt: number | null;
    readonly throughBlock: number | null;
  } | null;
}

/** Every token that is read has six decimals: it is the USDC of its issuer. */
const ATOMIC_PER_USD = 1_000_000;

type Measured = WalletFigures & { readonly figures: NonNullable<WalletFigures['figures']> };

const isMeasured = (wallet: WalletFigures): wallet is Measured => wallet.figures !== null;

/** What was settled with the wallets that an endpoint advertises. */
export function settlementOf({ endpoint, state }: StoredScoringInput): EndpointSettlement {
  const options = state.terms?.options ?? endpoint.listedOptions;
  return addUp(
    state.settlements ?? [],
    options.map(({ network }) => network),
  );
}

/**
 * Adds up the wallets that could be read. Where none could, nothing is known, which is not zero. A payer that pays two
 * wallets of one endpoint counts with each.
 *
 * @param networks the networks that are advertised, CAIP-2
 */
export function addUp(wallets: readonly WalletFigures[], networks: readonly string[]): EndpointSettlement {
  const measured = wallets.filter(isMeasured);
  const advertised = new Set(networks);
  const read = new Set(measured.map(({ network }) => network).filter((network) => advertised.has(network)));
  const networksRead = advertised.size === 0 ? 0 : read.size / advertised.size;
  const [first, ...others] = measured;
  if (first === undefined) return { inputs: null, networksRead, facts: null };
  const main = others.reduce((most, one) => (one.figures.volume > most.figures.volume ? one : most), first);
  const volume = measured.reduce((sum, { figures }) => sum + figures.volume, 0n);
  const top = measured.reduce(
    (most, { figures }) => Math.max(most, Number(figures.volume) * figures.topPayerShare),
    0,
  );
  const lastTimes = measured.map(({ figures }) => figures.lastSettledAt).filter((at) => at !== null);
  return {
    inputs: {
      volumeUsd30d: Number(volume) / ATOMIC_PER_USD,
      payers30d: measured.reduce((sum, { figures }) => sum + figures.payers, 0),
      topPayerShare: volume === 0n ? 0 : Math.min(1, Math.round((top / Number(volume)) * 1e6) / 1e6),
    },
    networksRead,
    facts: {
      payTo: main.payTo,
      network: main.network,
      settlements30d: measured.reduce((sum, { figures }) => sum + figures.settlements, 0),
      lastSettledAt: lastTimes.length === 0 ? null : Math.max(...lastTimes),
      throughBlock: main.throughBlock === null ? null : Number(main.throughBlock),
    },
  };
}
