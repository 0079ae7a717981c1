import type { Envelope } from '../challenge/envelope.ts';
import { hasV1Name, isV1Name, toCaip2 } from '../networks/networks.ts';
import { findToken, isFalseUsdc } from '../networks/tokens.ts';
import {
  toClientOption,
  explainUnsignable,
  type ClientOption,
  combineWallets,
  EMPTY_ACCEPTS,
  predictRefusal,
  type PaymentPrediction,
  findSettlementFailure,
  type Signature,
} from './payment-prediction.ts';
import { computeV2Validity, toClientInteger, UINT256 } from './signing.ts';
import { listToText, quote, readMember } from '../json/untrusted-json.ts';
import { findMissingSchemeMember } from './scheme-members.ts';
import {
  type ClientSetting,
  DEFAULT_SCHEME,
  describeAllowedToken,
  describeMaxAmount,
  describeSchemeClient,
  isWithinDefaultLimit,
  SCHEME_CLIENTS,
} from './default-settings.ts';
import { EVM_WALLET, selectAmount, WALLETS, type Version, type Wallet } from './v2-wallets.ts';

const KNOWN_PAYMENT_FLOWS = new Set<unknown>([undefined, null, 'authorization', 'upfront', 'escrow']);

/**
 * Reason why a wallet does not pay, and number of the step at which the client stops. Later steps have higher numbers.
 */
interface Refusal {
  readonly step: number;
  readonly reason: string;
  /** Kind of the setting that may let the client pay; absent if no setting does. */
  readonly needs?: ClientSetting['kind'];
}

const STEPS = {
  scheme: {
    step: 0,
    reason: 'No option has a scheme that x402 clients support, such as "exact".',
    needs: 'scheme',
  },
  network: {
    step: 1,
    reason: 'No option with the scheme "exact" is on a network that x402 clients support.',
    needs: 'scheme',
  },
  v1Name: {
    step: 2,
    reason: 'The network has a version 1 name; version 2 clients need a CAIP-2 id such as eip155:8453.',
    needs: 'scheme',
  },
  caip2: {
    step: 2,
    reason: 'The network is not written as version 1 requires; clients need a name such as base.',
  },
  flow: { step: 3, reason: 'The extra.paymentFlow of the option is unknown to x402 clients.' },
  trust: {
    step: 5,
    reason: 'No option is in a token that x402 clients accept by default, such as USDC.',
    needs: 'token',
  },
  amount: {
    step: 6,
    reason: 'An option has an amount that is not a decimal number, so clients stop with an error.',
  },
  limit: { step: 6, reason: 'All options are over the default limit of x402 clients.', needs: 'amount' },
} as const satisfies Readonly<Record<string, Refusal>>;
const LOOK_UP_STEP = 4;
const SIGN_STEP = 7;

/** Settings of a client that differ from its default settings. */
interface ChangedSettings {
  /** Further scheme whose client is registered; null for none. */
  readonly scheme: string | null;
  readonly isAnyTokenAllowed: boolean;
  readonly isAmountUnlimited: boolean;
}

const DEFAULTS: ChangedSettings = { scheme: null, isAnyTokenAllowed: false, isAmountUnlimited: false };

/** Payment options for one wallet, and the version of their envelope. */
interface Offer {
  readonly wallet: Wallet;
  readonly options: readonly ClientOption[];
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
 * If a setting of the client drops all options in step 1, 2 or 3, the prediction is for a buyer who changes this
 * setting, and names the setting. The client validates nothing else, so an envelope that violates the specification
 * elsewhere is payable.
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
  const results = WALLETS.map((wallet) => predictForWallet({ wallet, options, version: x402Version }));
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
  const result = predictForWallet({ wallet: EVM_WALLET, options: readable, version: 2 });
  const isPaid = !('reason' in result) && result.settings.every(({ kind }) => kind === 'amount');
  return isPaid ? result.option : null;
}

/** Result for one wallet: a payment, or the reason why there is none. Changes settings only where a client needs it. */
function predictForWallet(offer: Offer, settings = DEFAULTS): Refusal | Signature {
  const result = predictSelection(offer, settings);
  if (!('reason' in result)) return result;
  if (result.needs === 'token') return preferLater(result, { ...settings, isAnyTokenAllowed: true }, offer);
  if (result.needs === 'amount') return predictForWallet(offer, { ...settings, isAmountUnlimited: true });
  if (result.needs !== 'scheme' || settings.scheme !== null || offer.version === 1) return result;
  const offered = new Set(offer.options.map(({ scheme }) => scheme));
  const schemes = Object.keys(SCHEME_CLIENTS[offer.wallet.chain]).filter((scheme) => offered.has(scheme));
  const others = schemes.map((scheme) => preferLater(result, { ...settings, scheme }, offer));
  const signatures = others.flatMap((other) => ('reason' in other ? [] : [other]));
  return (
    signatures.find(({ settlementFailure }) => settlementFailure === null) ??
    signatures[0] ??
    others.find((other) => other !== result) ??
    result
  );
}

/** Returns the result with changed settings, unless the client then stops at an earlier step. */
function preferLater(refusal: Refusal, settings: ChangedSettings, offer: Offer): Refusal | Signature {
  const result = predictForWallet(offer, settings);
  return 'reason' in result && result.step <= refusal.step ? refusal : result;
}

/** Result of a client with the given settings. */
function predictSelection(offer: Offer, settings: ChangedSettings): Refusal | Signature {
  const { wallet, options, version } = offer;
  const registered = options.filter(
    ({ scheme }) => scheme === DEFAULT_SCHEME || (scheme !== null && scheme === settings.scheme),
  );
  const onChain = registered.filter((option) => isOnChain(option, version, wallet));
  const supported = onChain.filter((option) => KNOWN_PAYMENT_FLOWS.has(readPaymentFlow(option)));
  if (registered.length === 0) return STEPS.scheme;
  if (onChain.length === 0) return explainNetwork(registered, version, wallet);
  if (supported.length === 0) return STEPS.flow;
  if (!supported.every(wallet.canLookUp)) return { step: LOOK_UP_STEP, reason: wallet.lookUpFailure };
  const trusted = settings.isAnyTokenAllowed
    ? supported
    : supported.filter((option) => isTrusted(option, wallet));
  if (trusted.length === 0) return STEPS.trust;
  const limited = trusted.map((option) => !isTrusted(option, wallet) || isWithinLimit(option, version));
  if (limited.includes(null)) return STEPS.amount;
  const within = settings.isAmountUnlimited ? trusted : trusted.filter((_, index) => limited[index] === true);
  const chosen = within.find(isAuthorizationFlow) ?? within[0];
  return chosen === undefined ? STEPS.limit : signOption(chosen, offer, settings);
}

/** Result of the client for the selected option. */
function signOption(
  option: ClientOption,
  { wallet, options, version }: Offer,
  settings: ChangedSettings,
): Refusal | Signature {
  const member = wallet.findUnsignable(option, version);
  if (member !== null) {
    const missing = findMissingSchemeMember(option);
    const reason =
      typeof missing === 'string'
        ? `The scheme ${quote(option.scheme)} requires extra.${missing}, so not even clients of this scheme can pay.`
        : explainUnsignable({ member, version, optionCount: options.length });
    return { step: SIGN_STEP, reason };
  }
  const method = wallet.getMethod(option, version);
  const validity = method === 'solana' ? null : computeV2Validity(option.maxTimeoutSeconds);
  const amount = selectAmount(option, version);
  return {
    option,
    settings: listSettings(option, { wallet, options, version }, settings),
    settlementFailure:
      findSettlementFailure({ option, amount, method, validity }) ?? findFalseUsdc(option, settings),
  };
}

/** Lists the settings that the client needs for an option. */
function listSettings(
  option: ClientOption,
  { wallet, version }: Offer,
  { isAnyTokenAllowed, isAmountUnlimited }: ChangedSettings,
): readonly ClientSetting[] {
  const client = new Map<unknown, string>(Object.entries(SCHEME_CLIENTS[wallet.chain])).get(option.scheme);
  const asset = listToText([option.asset]) ?? '';
  const amount = toClientInteger(selectAmount(option, version), UINT256) ?? 0n;
  return [
    ...(client === undefined ? [] : [describeSchemeClient(String(option.scheme), client)]),
    ...(isAnyTokenAllowed ? [describeAllowedToken(option.caip2, asset)] : []),
    ...(isAmountUnlimited ? [describeMaxAmount(amount, findToken(option.caip2, asset)?.decimals ?? 0)] : []),
  ];
}

/** Returns the reason why a token must not be allowed: it has the name of USDC, but it is another token. */
function findFalseUsdc(
  { caip2, asset, extra }: ClientOption,
  { isAnyTokenAllowed }: ChangedSettings,
): string | null {
  if (!isAnyTokenAllowed || typeof asset !== 'string') return null;
  const names = [readMember(extra, 'name'), readMember(extra, 'symbol')];
  if (!isFalseUsdc({ network: caip2, asset, names })) return null;
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

/**
 * Returns true when the client's token table lists the asset by its address. By default, the client pays in no other
 * token.
 */
function isTrusted({ caip2, asset }: ClientOption, { isSameAsset: sameAsset }: Wallet): boolean {
  if (typeof asset !== 'string') return false;
  const token = findToken(caip2, asset);
  return token?.isClientDefault === true && sameAsset(token.asset, asset);
}

/** Compares the amount of an option with the default limit of the client; see `isWithinDefaultLimit`. */
function isWithinLimit(option: ClientOption, version: Version): boolean | null {
  const { caip2, asset } = option;
  const token = typeof asset === 'string' ? findToken(caip2, asset) : null;
  return isWithinDefaultLimit(selectAmount(option, version), token?.decimals ?? 0);
}

function readPaymentFlow({ extra }: ClientOption): unknown {
  return readMember(extra, 'paymentFlow');
}

function isAuthorizationFlow(option: ClientOption): boolean {
  const flow = readPaymentFlow(option);
  return flow === undefined || flow === null || flow === 'authorization';
}
