import type { PayOn, SetFigures, SetWallet, WalletFigures } from '@touchstone/store';
import { selectMainOption, type ReportFigures, type ScoreInputs } from '@touchstone/trust';
import { findToken, normalizeAddress } from '@touchstone/x402';

/** Payments to the wallets of an endpoint, for the score formula and for the report. */
export interface EndpointSettlement {
  readonly inputs: ScoreInputs['settlement'];
  /** Share of the advertised networks whose chain was read within the last day, from 0 to 1; null without networks. */
  readonly networksRead: number | null;
  /** Null when the endpoint advertises no payment option. */
  readonly facts: ReportFigures['settlement'];
}

/** Atomic units per USD. Only settlements in canonical USDC are read, and USDC has six decimals. */
const ATOMIC_PER_USD = 1_000_000;
/**
 * Maximum number of wallets whose payments are summed per endpoint. A provider can advertise wallets of other
 * providers, even very busy wallets.
 */
const MAX_SUMMED_WALLETS = 16;
/** Maximum number of wallets listed per endpoint. A report has the same maximum number of payment options. */
const MAX_LISTED_WALLETS = 100;

type KeyedWallet = SetWallet & { readonly key: string };

function toWalletKey({ network, payTo }: Pick<PayOn, 'network' | 'payTo'>): string {
  return `${network} ${normalizeAddress(network, payTo)}`;
}

/** Returns true for canonical USDC. Payments in other tokens are not read, so they are not measured. */
function isCanonicalUsdc({ network, asset }: PayOn): boolean {
  return findToken(network, asset)?.isCanonicalUsdc === true;
}

/** Returns the distinct wallets of payment options, in the order of the options. */
export function listWallets(options: readonly PayOn[]): readonly SetWallet[] {
  return listKeyedWallets(options).map(({ network, payTo, isCounted }) => ({ network, payTo, isCounted }));
}

function listKeyedWallets(options: readonly PayOn[]): readonly KeyedWallet[] {
  const readKeys = new Set(options.filter(isCanonicalUsdc).map(toWalletKey));
  const summed = new Set([...readKeys].slice(0, MAX_SUMMED_WALLETS));
  const byKey = new Map<string, KeyedWallet>();
  for (const option of options) {
    const { network, payTo } = option;
    if (payTo === '') continue;
    const key = toWalletKey(option);
    if (!byKey.has(key)) byKey.set(key, { key, network, payTo, isCounted: summed.has(key) });
  }
  return [...byKey.values()].slice(0, MAX_LISTED_WALLETS);
}

/**
 * Combines the payment figures of all wallets that an endpoint advertises:
 * - All wallets were read: the figures are sums.
 * - Only some wallets were read, and they received payments: the sums are marked as partial, because they are lower
 *   bounds.
 * - Only some wallets were read, and they received nothing: the figures are null (not measured).
 * - No wallet was read: the figures are null (not measured).
 *
 * @param set settlement figures of the wallets `listWallets(options)`
 */
export function toEndpointSettlement(options: readonly PayOn[], set: SetFigures): EndpointSettlement {
  const figuresByKey = new Map(set.wallets.map((wallet) => [toWalletKey(wallet), wallet]));
  const isRead = (option: PayOn): boolean =>
    isCanonicalUsdc(option) && (figuresByKey.get(toWalletKey(option))?.figures ?? null) !== null;
  const read = options.filter(isRead);
  const networks = new Set(options.map(({ network }) => network));
  const partial = read.length < options.length;
  const { total } = set;
  const isKnown = total !== null && (!partial || total.payers > 0 || total.returned > 0n);
  return {
    inputs: isKnown
      ? {
          volumeUsd30d: Number(total.volume) / ATOMIC_PER_USD,
          ...(total.returned === 0n ? {} : toReturned(total)),
          payers30d: total.payers,
          topPayerShare: total.payers === 0 ? null : total.topPayerShare,
          ...(partial ? { partial } : {}),
        }
      : null,
    networksRead:
      networks.size === 0 ? null : new Set(read.map(({ network }) => network)).size / networks.size,
    facts: toFacts({ options, read, set, figuresByKey }),
  };
}

function toReturned({ returned, returnedBy }: NonNullable<SetFigures['total']>) {
  return {
    returnedUsd30d: Number(returned) / ATOMIC_PER_USD,
    returnedBy: returnedBy.map(({ wallet: address, volume, ...wallet }) => ({
      ...{ ...wallet, address },
      returnedUsd30d: Number(volume) / ATOMIC_PER_USD,
    })),
  };
}

interface FactsSource {
  readonly options: readonly PayOn[];
  /** Payment options whose wallet was read. */
  readonly read: readonly PayOn[];
  readonly set: SetFigures;
  readonly figuresByKey: ReadonlyMap<string, WalletFigures>;
}

/**
 * Returns the facts for the report. The main wallet is the wallet of the main payment option. The main payment option
 * is selected from the options whose wallet was read, or from all options if no wallet was read.
 */
function toFacts({ options, read, set, figuresByKey }: FactsSource): EndpointSettlement['facts'] {
  const main = selectMainOption(read) ?? selectMainOption(options);
  if (main === null) return null;
  const wallets = listKeyedWallets(options);
  return {
    payTo: main.payTo,
    network: main.network,
    settlements30d: set.total?.settlements ?? null,
    repeatPayers30d: set.total?.repeatPayers ?? null,
    lastSettledAt: set.total?.lastSettledAt ?? null,
    throughBlock: getThroughBlock(figuresByKey.get(toWalletKey(main))),
    wallets: wallets.map(({ key, network, payTo }) => toWalletRow({ network, payTo }, figuresByKey.get(key))),
  };
}

/** Returns the last block that the figures of a wallet cover, or null without figures. */
function getThroughBlock(wallet: WalletFigures | undefined): number | null {
  return wallet?.figures && wallet.throughBlock !== null ? Number(wallet.throughBlock) : null;
}

type WalletRow = NonNullable<ReportFigures['settlement']>['wallets'][number];

function toWalletRow(
  option: Pick<WalletRow, 'network' | 'payTo'>,
  wallet: WalletFigures | undefined,
): WalletRow {
  const figures = wallet?.figures ?? null;
  return {
    ...option,
    volumeUsd30d: figures && Number(figures.volume) / ATOMIC_PER_USD,
    settlements30d: figures && figures.settlements,
    payers30d: figures && figures.payers,
    topPayerShare: figures && figures.payers > 0 ? figures.topPayerShare : null,
    lastSettledAt: figures && figures.lastSettledAt,
    throughBlock: getThroughBlock(wallet),
  };
}
