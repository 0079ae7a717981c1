import type { PayOn, ReportFigures, SetFigures, SetWallet, WalletFigures } from '@touchstone/store';
import type { ScoreInputs } from '@touchstone/trust';
import { findToken } from '@touchstone/x402';
import { mainOption, sameCase } from './terms.ts';

/** What was settled with the wallets of an endpoint, as the formula and the report read it. */
export interface EndpointSettlement {
  readonly inputs: ScoreInputs['settlement'];
  /** Share of the advertised networks whose chain was read in the last day, 0 to 1. */
  readonly networksRead: number;
  /** Null where it advertises nothing. */
  readonly facts: ReportFigures['settlement'];
}

/** Every token that is read has six decimals: it is the USDC of its issuer. */
const ATOMIC_PER_USD = 1_000_000;
/** Anybody can advertise the busiest wallets there are, so that many are summed for one endpoint and no more. */
const MOST_SUMMED = 16;
/** As many as a report has options. */
const MOST_WALLETS = 100;

type Wallet = SetWallet & { readonly key: string };

function keyOf({ network, payTo }: Pick<PayOn, 'network' | 'payTo'>): string {
  return `${network} ${sameCase(network, payTo)}`;
}

/** Only USDC of its issuer is read, so sales in anything else are not known, whatever else the wallet is paid. */
function isReadIn({ network, asset }: PayOn): boolean {
  return findToken(network, asset)?.canonicalUsdc === true;
}

/** The wallets of some options, each once, in their order. */
export function walletsOf(options: readonly PayOn[]): readonly SetWallet[] {
  return keyedWallets(options).map(({ network, payTo, counts }) => ({ network, payTo, counts }));
}

function keyedWallets(options: readonly PayOn[]): readonly Wallet[] {
  const summed = new Set([...new Set(options.filter(isReadIn).map(keyOf))].slice(0, MOST_SUMMED));
  const byKey = new Map<string, Wallet>();
  for (const option of options) {
    const { network, payTo } = option;
    const key = keyOf(option);
    if (!byKey.has(key)) byKey.set(key, { key, network, payTo, counts: summed.has(key) });
  }
  return [...byKey.values()].slice(0, MOST_WALLETS);
}

/**
 * What was settled with everything that an endpoint advertises. Where none of it could be read nothing is known, which is
 * not zero; nor is nothing known to have been paid where some could not: a sum above zero is then at least so much.
 *
 * @param set the figures of `walletsOf(options)`
 */
export function settlementOf(options: readonly PayOn[], set: SetFigures): EndpointSettlement {
  const figuresByKey = new Map(set.wallets.map((wallet) => [keyOf(wallet), wallet]));
  const isRead = (option: PayOn): boolean =>
    isReadIn(option) && (figuresByKey.get(keyOf(option))?.figures ?? null) !== null;
  const read = options.filter(isRead);
  const networks = new Set(options.map(({ network }) => network));
  const partial = read.length < options.length;
  const { total } = set;
  const isKnown = total !== null && (!partial || total.payers > 0);
  return {
    inputs: isKnown
      ? {
          volumeUsd30d: Number(total.volume) / ATOMIC_PER_USD,
          payers30d: total.payers,
          topPayerShare: total.topPayerShare,
          ...(partial ? { partial } : {}),
        }
      : null,
    networksRead: networks.size === 0 ? 0 : new Set(read.map(({ network }) => network)).size / networks.size,
    facts: factsOf({ options, read, set, figuresByKey }),
  };
}

interface Read {
  readonly options: readonly PayOn[];
  /** Those of them whose sales are known. */
  readonly read: readonly PayOn[];
  readonly set: SetFigures;
  readonly figuresByKey: ReadonlyMap<string, WalletFigures>;
}

/** Named is the wallet that is advertised first and was read; the first of all where none was. */
function factsOf({ options, read, set, figuresByKey }: Read): EndpointSettlement['facts'] {
  const main = mainOption(read) ?? mainOption(options);
  if (main === null) return null;
  const wallets = keyedWallets(options);
  return {
    payTo: main.payTo,
    network: main.network,
    settlements30d: set.total?.settlements ?? null,
    lastSettledAt: set.total?.lastSettledAt ?? null,
    throughBlock: throughBlockOf(figuresByKey.get(keyOf(main))),
    wallets:
      wallets.length > 1
        ? wallets.map(({ key, network, payTo }) => rowOf({ network, payTo }, figuresByKey.get(key)))
        : [],
  };
}

/** The last block that figures hold for; null where there are none. */
function throughBlockOf(wallet: WalletFigures | undefined): number | null {
  return wallet?.figures && wallet.throughBlock !== null ? Number(wallet.throughBlock) : null;
}

type Row = NonNullable<ReportFigures['settlement']>['wallets'][number];

function rowOf(of: Pick<Row, 'network' | 'payTo'>, wallet: WalletFigures | undefined): Row {
  const figures = wallet?.figures ?? null;
  return {
    ...of,
    volumeUsd30d: figures && Number(figures.volume) / ATOMIC_PER_USD,
    settlements30d: figures && figures.settlements,
    payers30d: figures && figures.payers,
    topPayerShare: figures && figures.topPayerShare,
    lastSettledAt: figures && figures.lastSettledAt,
    throughBlock: throughBlockOf(wallet),
  };
}
