import type { Envelope } from '../challenge/envelope.ts';
import { hasV1Name, isV1Name, toCaip2 } from '../networks/networks.ts';
import { isFalseUsdc } from '../networks/tokens.ts';
import {
  toClientOption,
  explainUnreadable,
  explainUnsignable,
  type ClientOption,
  combineWallets,
  EMPTY_ACCEPTS,
  predictRefusal,
  type PaymentPrediction,
  findSettlementFailure,
  type Signature,
} from './payment-prediction.ts';
import { computeV2Validity } from './signing.ts';
import { quote, readMember } from '../json/untrusted-json.ts';
import { listMissingSchemeMembers } from './scheme-members.ts';
import {
  type ClientSetting,
  DEFAULT_LIMIT,
  DEFAULT_SCHEME,
  describeAllowedToken,
  describeMaxAmount,
  describeSchemeClient,
  SCHEME_CLIENTS,
} from './default-settings.ts';
import {
  type Candidate,
  EVM_WALLET,
  isSameToken,
  selectAmount,
  toCandidate,
  WALLETS,
  type Version,
  type Wallet,
} from './v2-wallets.ts';

const KNOWN_PAYMENT_FLOWS = new Set<unknown>([undefined, null, 'authorization', 'upfront', 'escrow']);

/**
 * Reason why a wallet does not pay, and number of the step at which the client stops. Later steps have higher numbers.
 */
interface Refusal {
  readonly step: number;
  readonly reason: string;
}

const STEPS = {
  scheme: {
    step: 0,
    reason: 'No option has a scheme that the reference clients support, such as "exact".',
  },
  network: {
    step: 1,
    reason:
      'No option with the scheme "exact" is on a network of the reference clients, which pay on EVM networks and Solana.',
  },
  v1Name: {
    step: 2,
    reason: 'The network has a version 1 name; version 2 clients need a CAIP-2 id such as eip155:8453.',
  },
  caip2: {
    step: 2,
    reason: 'The network is not written as version 1 requires; clients need a name such as base.',
  },
  flow: { step: 3, reason: 'The extra.paymentFlow of the option is unknown to x402 clients.' },
  trust: {
    step: 5,
    reason: 'No option is in a token that x402 clients accept by default, such as USDC.',
  },
  asset: { step: 5, reason: 'An option has an asset that is not text, so clients stop with an error.' },
  limit: { step: 6, reason: 'All options are over the default limit of x402 clients.' },
} as const satisfies Readonly<Record<string, Refusal>>;
const [LOOK_UP_STEP, AMOUNT_STEP, SIGN_STEP] = [4, 6, 7];

/** Settings of a client that differ from its default settings. */
interface ChangedSettings {
  /** Further scheme whose client is registered; null for none. */
  readonly scheme: string | null;
  /** Option whose token is allowed up to its amount; null for none. */
  readonly allowed: Candidate | null;
  /** Limit for a payment in a trusted token; see `readDollars`. */
  readonly limit: bigint;
}

/** Maximum number of options whose settings are tried, as many as the rules read. Sellers offer only a few. */
const MAX_OPTIONS_TRIED = 64;
const DEFAULTS: ChangedSettings = { scheme: null, allowed: null, limit: DEFAULT_LIMIT };

/** Payment options for one wallet, and the version of their envelope. */
interface Offer {
  readonly wallet: Wallet;
  readonly options: readonly Candidate[];
  readonly version: Version;
}

/**
 * Predicts if the version 2 reference client would sign a payment for this envelope, with an EVM or a Solana wallet,
 * and if this payment would settle.
 *
 * Follows the steps of the client (@x402/core 2.27 `selectPaymentRequirements`, and the schemes of @x402/evm and
 * @x402/svm):
 * 1. Find the options with a registered scheme and a known payment flow on the wallet's networks.
 * 2. Drop options in tokens that the client's own token table does not list.
 * 3. Drop options over the default limit of one dollar for a payment.
 * 4. Select the first option with the authorization flow; without such an option, select the first option.
 * 5. Sign the selected option. If that is impossible, try no other option.
 *
 * If the client refuses with its default settings, the prediction is for a buyer who changes the fewest settings with
 * which the client signs a payment that settles, and names these settings. The client validates nothing else, so an
 * envelope that violates the specification elsewhere is payable.
 *
 * @param envelope envelope from the header, or a version 1 envelope from the body
 */
export function predictV2Payment(envelope: Envelope): PaymentPrediction {
  const { x402Version, accepts } = envelope.fields;
  if (x402Version !== 1 && x402Version !== 2) return predictRefusal('x402Version must be the number 1 or 2.');
  if (!Array.isArray(accepts)) return predictRefusal('accepts is not a list.');
  if (accepts.length === 0) return predictRefusal(EMPTY_ACCEPTS);
  const candidates = accepts.map(toClientOption);
  // The client reads every entry before it selects one, so one entry on which the client throws prevents any payment.
  const options = candidates.filter((option) => option !== null);
  if (options.length < candidates.length)
    return predictRefusal('An entry of accepts is null, or its network cannot be read.');
  const results = WALLETS.map((wallet) => predictForWallet(wallet, options, x402Version));
  const signatures = results.flatMap((result) => ('reason' in result ? [] : [result]));
  const refusals = results.flatMap((result) => ('reason' in result ? [result] : []));
  const [last = STEPS.scheme] = refusals.sort((one, other) => other.step - one.step);
  return combineWallets(signatures, last.reason);
}

/**
 * Returns the option for which version 2 clients with an EVM wallet sign a payment, with a higher limit if needed; null
 * if they sign none.
 */
export function selectEvmOption({ fields: { accepts } }: Envelope): ClientOption | null {
  const options = Array.isArray(accepts) ? accepts.map(toClientOption) : [];
  const readable = options.filter((option) => option !== null);
  if (readable.length < options.length) return null;
  const result = predictForWallet(EVM_WALLET, readable, 2);
  const isPaid = !('reason' in result) && result.settings.every(({ kind }) => kind === 'amount');
  return isPaid ? result.option : null;
}

/**
 * Result for one wallet: a payment, or the reason why there is none. A client that signs a payment with its default
 * settings does not reach other settings, even if this payment fails.
 */
function predictForWallet(
  wallet: Wallet,
  options: readonly ClientOption[],
  version: Version,
): Refusal | Signature {
  const offer = { wallet, options: options.map((option) => toCandidate(option, wallet, version)), version };
  const byDefault = predictSelection(offer, DEFAULTS);
  if (!('reason' in byDefault)) return byDefault;
  const refusals = [byDefault];
  const signatures: Signature[] = [];
  for (const settings of listSettingsToTry(offer)) {
    const result = predictSelection(offer, settings);
    if ('reason' in result) refusals.push(result);
    else if (result.settlementFailure === null) return result;
    else signatures.push(result);
  }
  return signatures[0] ?? refusals.sort((one, other) => other.step - one.step)[0] ?? byDefault;
}

/**
 * Returns the settings that each option needs, fewest first and lower limits first. Further settings would only add
 * options, so a client that pays an option with them also pays the option without them. For a trusted token, tries a
 * limit of all tokens, and a limit of this token.
 */
function listSettingsToTry({ wallet, options, version }: Offer): ChangedSettings[] {
  const schemes = version === 1 ? {} : SCHEME_CLIENTS[wallet.chain];
  const needed = options.slice(0, MAX_OPTIONS_TRIED).flatMap((option): ChangedSettings[] => {
    const scheme =
      typeof option.scheme === 'string' && Object.hasOwn(schemes, option.scheme) ? option.scheme : null;
    const byToken = { scheme, allowed: option, limit: DEFAULT_LIMIT };
    if (!option.isTrusted) return [byToken];
    const { dollars, units } = option;
    const limit = dollars !== null && dollars > DEFAULT_LIMIT ? dollars : DEFAULT_LIMIT;
    return [{ scheme, allowed: null, limit }, ...(units === null ? [] : [byToken])];
  });
  const changed = needed.filter((settings) => countChanges(settings) > 0);
  return changed.sort(
    (one, other) =>
      countChanges(one) - countChanges(other) ||
      (one.limit < other.limit ? -1 : Number(one.limit > other.limit)),
  );
}

/** Counts changes as `compareSettings` does. */
function countChanges({ scheme, allowed, limit }: ChangedSettings): number {
  return (scheme === null ? 0 : 2) + (allowed === null ? 0 : 2) + (limit === DEFAULT_LIMIT ? 0 : 1);
}

/** Result of a client with the given settings. */
function predictSelection(offer: Offer, settings: ChangedSettings): Refusal | Signature {
  const { wallet, options, version } = offer;
  const { allowed } = settings;
  const registered = options.filter(
    ({ scheme }) => scheme === DEFAULT_SCHEME || (scheme !== null && scheme === settings.scheme),
  );
  const onChain = registered.filter((option) => isOnChain(option, version, wallet));
  const supported = onChain.filter((option) => KNOWN_PAYMENT_FLOWS.has(readPaymentFlow(option)));
  if (registered.length === 0) return STEPS.scheme;
  if (onChain.length === 0) return explainNetwork(registered, version, wallet);
  if (supported.length === 0) return STEPS.flow;
  if (!supported.every(wallet.canLookUp)) return { step: LOOK_UP_STEP, reason: wallet.lookUpFailure };
  const ofNetwork = supported.filter(({ network }) => network === allowed?.network);
  if (ofNetwork.some(({ asset }) => typeof asset !== 'string')) return STEPS.asset;
  const accepted = supported.filter((option) => option.isTrusted || isSameToken(option, allowed));
  if (accepted.length === 0) return STEPS.trust;
  const ofLimit = accepted.filter((option) => !isSameToken(option, allowed));
  const unreadable = ofLimit.find(({ dollars }) => dollars === null);
  if (unreadable !== undefined)
    return { step: AMOUNT_STEP, reason: explainUnreadable(selectAmount(unreadable, version)) };
  const within = accepted.filter((option) => isWithinLimit(option, settings));
  const chosen = within.find(isAuthorizationFlow) ?? within[0];
  return chosen === undefined ? STEPS.limit : signOption(chosen, offer, settings);
}

/** Compares the amount of an option with the limit of its allowed token, or with the limit of all trusted tokens. */
function isWithinLimit(option: Candidate, { allowed, limit }: ChangedSettings): boolean {
  if (!isSameToken(option, allowed)) return (option.dollars ?? 0n) <= limit;
  const ofToken = allowed?.units ?? null;
  return ofToken === null || (option.units !== null && option.units <= ofToken);
}

/** Result of the client for the selected option. */
function signOption(
  option: Candidate,
  { wallet, options, version }: Offer,
  settings: ChangedSettings,
): Refusal | Signature {
  const member = wallet.findUnsignable(option, version);
  if (member !== null) {
    const [missing] = listMissingSchemeMembers(option) ?? [];
    const reason =
      missing !== undefined
        ? `The scheme ${quote(option.scheme)} requires extra.${missing}, so not even clients of this scheme can pay.`
        : explainUnsignable({ member, version, optionCount: options.length });
    return { step: SIGN_STEP, reason };
  }
  const method = wallet.getMethod(option, version);
  const validity = method === 'solana' ? null : computeV2Validity(option.maxTimeoutSeconds);
  const amount = selectAmount(option, version);
  return {
    option,
    settings: listSettings(option, wallet, settings),
    settlementFailure: findSettlementFailure({ option, amount, method, validity }) ?? findFalseUsdc(option),
  };
}

/** Lists the settings that the client needs for an option. */
function listSettings(
  option: Candidate,
  { chain }: Wallet,
  { allowed, limit }: ChangedSettings,
): readonly ClientSetting[] {
  const client = new Map<unknown, string>(Object.entries(SCHEME_CLIENTS[chain])).get(option.scheme);
  return [
    ...(client === undefined ? [] : [describeSchemeClient(String(option.scheme), client)]),
    ...(allowed === null ? [] : [describeAllowedToken(allowed)]),
    ...(limit === DEFAULT_LIMIT ? [] : [describeMaxAmount(limit)]),
  ];
}

/** Returns the reason why a token must not be allowed: it has the name of USDC, but it is another token. */
function findFalseUsdc({ caip2, asset, extra, isTrusted }: Candidate): string | null {
  if (isTrusted || typeof asset !== 'string') return null;
  if (!isFalseUsdc({ network: caip2, asset, extra })) return null;
  return `The token ${quote(asset)} is named USDC but is not the USDC of ${quote(caip2)}.`;
}

/** Returns the reason why no option is on a network of the wallet: the wrong notation, or another network. */
function explainNetwork(options: readonly ClientOption[], version: Version, { chain }: Wallet): Refusal {
  const isMisspelled = options.some(({ network }) => {
    const id = toCaip2(network);
    return id.startsWith(chain) && hasV1Name(id);
  });
  if (!isMisspelled) return STEPS.network;
  return version === 2 ? STEPS.v1Name : STEPS.caip2;
}

function isOnChain({ network, caip2 }: ClientOption, version: Version, { chain }: Wallet): boolean {
  return version === 2 ? network.startsWith(chain) : isV1Name(network) && caip2.startsWith(chain);
}

function readPaymentFlow({ extra }: ClientOption): unknown {
  return readMember(extra, 'paymentFlow');
}

function isAuthorizationFlow(option: ClientOption): boolean {
  const flow = readPaymentFlow(option);
  return flow === undefined || flow === null || flow === 'authorization';
}
