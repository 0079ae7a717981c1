import type { Envelope } from '../challenge/envelope.ts';
import { hasV1Name, isV1Name, toCaip2 } from '../networks/networks.ts';
import { findToken, hasClientDefault } from '../networks/tokens.ts';
import {
  toClientOption,
  explainUnsignable,
  type ClientOption,
  combineWallets,
  EMPTY_ACCEPTS,
  predictRefusal,
  type PaymentPrediction,
  findSettlementFailure,
  type SignedPayment,
} from './payment-prediction.ts';
import {
  findDomainFault,
  findUnsignableEvmMember,
  computeV2Validity,
  isAttachableMemo,
  findUnsignableSolanaMember,
} from './signing.ts';
import { quote, readMember } from '../json/untrusted-json.ts';
import { findMissingSchemeMember } from './scheme-members.ts';
import { isWithinDefaultLimit } from './spending-limit.ts';

type Version = 1 | 2;

/** Client behaviour that depends on the CAIP-2 namespace of the wallet. */
interface Wallet {
  readonly chain: 'eip155:' | 'solana:';
  /** Returns false when the client throws while it looks up the token of an option. */
  readonly canLookUp: (option: ClientOption) => boolean;
  /** Reason why the client throws while it looks up a token. */
  readonly lookUpFailure: string;
  readonly isSameAsset: (one: string, other: string) => boolean;
  /** Returns the first member that prevents the client from signing an option; null when the client can sign. */
  readonly findUnsignable: (option: ClientOption, version: Version) => string | null;
  readonly getMethod: (option: ClientOption, version: Version) => SignedPayment['method'];
}

const KNOWN_PAYMENT_FLOWS = new Set<unknown>([undefined, null, 'authorization', 'upfront', 'escrow']);

const EVM_WALLET: Wallet = {
  chain: 'eip155:',
  canLookUp: ({ caip2, asset }) => !hasClientDefault(caip2) || typeof asset === 'string',
  lookUpFailure: 'An option has an asset that is not text, so clients stop with an error.',
  isSameAsset: (one, other) => one.toLowerCase() === other.toLowerCase(),
  findUnsignable: findUnsignableOnEvm,
  getMethod: getEvmMethod,
};

const WALLETS: readonly Wallet[] = [
  EVM_WALLET,
  {
    chain: 'solana:',
    // The client throws for every network except Solana mainnet, devnet and testnet. The client accepts a list in place
    // of a network name, but not in place of a CAIP-2 id.
    canLookUp: ({ caip2, network, isNetworkText }) =>
      hasClientDefault(caip2) && (isNetworkText || isV1Name(network)),
    lookUpFailure: 'An option names a Solana network that clients do not know, so they stop with an error.',
    isSameAsset: (one, other) => one === other,
    findUnsignable: findUnsignableOnSolana,
    getMethod: () => 'solana',
  },
];

/**
 * Result for one wallet that signs a payment: the signed option, and the reason why this payment would fail or be lost;
 * null if the payment settles.
 */
interface Signature {
  readonly option: ClientOption;
  readonly settlementFailure: string | null;
}

/**
 * Reason why a wallet does not pay, and number of the step at which the client stops. Later steps have higher numbers.
 */
interface Refusal {
  readonly step: number;
  readonly reason: string;
}

const STEPS = {
  scheme: { step: 0, reason: 'No option has the scheme "exact", the only one that clients pay by default.' },
  network: {
    step: 1,
    reason: 'No option with the scheme "exact" is on a network that x402 clients support.',
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
  trust: { step: 5, reason: 'No option is in a token that x402 clients accept by default, such as USDC.' },
  amount: {
    step: 6,
    reason: 'An option has an amount that is not a decimal number, so clients stop with an error.',
  },
} as const;
const LOOK_UP_STEP = 4;
const SIGN_STEP = 7;

/**
 * Predicts if the version 2 reference client would sign a payment for this envelope, with an EVM or a Solana wallet,
 * and if this payment would settle.
 *
 * Follows the steps of the client (@x402/core 2.27 `selectPaymentRequirements`, @x402/evm and @x402/svm `exact`):
 * 1. Find the options with scheme `exact` and a known payment flow on the wallet's networks.
 * 2. Drop options in tokens that the client's own token table does not list.
 * 3. Drop options over the default limit of one dollar for a payment.
 * 4. Select the first option with the authorization flow; without such an option, select the first option.
 * 5. Sign the selected option. If that is impossible, try no other option.
 *
 * The client validates nothing else, so an envelope that violates the specification elsewhere is payable. If all options
 * are over the limit, the prediction is for a buyer with a higher limit.
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
  const failures = results.flatMap((result) => ('reason' in result ? [] : [result.settlementFailure]));
  const refusals = results.flatMap((result) => ('reason' in result ? [result] : []));
  const [last = STEPS.scheme] = refusals.sort((one, other) => other.step - one.step);
  return combineWallets(failures, last.reason);
}

/** Returns the option for which version 2 clients with an EVM wallet sign a payment; null if they sign none. */
export function selectEvmOption({ fields: { accepts } }: Envelope): ClientOption | null {
  const options = Array.isArray(accepts) ? accepts.map(toClientOption) : [];
  const readable = options.filter((option) => option !== null);
  if (readable.length < options.length) return null;
  const result = predictForWallet(EVM_WALLET, readable, 2);
  return 'reason' in result ? null : result.option;
}

function predictForWallet(
  wallet: Wallet,
  options: readonly ClientOption[],
  version: Version,
): Refusal | Signature {
  const exact = options.filter(({ scheme }) => scheme === 'exact');
  const onChain = exact.filter((option) => isOnChain(option, version, wallet));
  const supported = onChain.filter((option) => KNOWN_PAYMENT_FLOWS.has(readPaymentFlow(option)));
  if (exact.length === 0) return explainScheme(options);
  if (onChain.length === 0) return explainNetwork(exact, version, wallet);
  if (supported.length === 0) return STEPS.flow;
  if (!supported.every(wallet.canLookUp)) return { step: LOOK_UP_STEP, reason: wallet.lookUpFailure };
  const trusted = supported.filter((option) => isTrusted(option, wallet));
  if (trusted.length === 0) return STEPS.trust;
  const limited = trusted.map((option) => isWithinLimit(option, version));
  if (limited.includes(null)) return STEPS.amount;
  const within = trusted.filter((_, index) => limited[index] === true);
  const affordable = within.length > 0 ? within : trusted;
  const chosen = affordable.find(isAuthorizationFlow) ?? affordable[0];
  if (chosen === undefined) return STEPS.amount;
  const member = wallet.findUnsignable(chosen, version);
  if (member !== null) {
    const reason = explainUnsignable({ member, version, optionCount: options.length });
    return { step: SIGN_STEP, reason };
  }
  const method = wallet.getMethod(chosen, version);
  return {
    option: chosen,
    settlementFailure: findSettlementFailure({
      option: chosen,
      amount: selectAmount(chosen, version),
      method,
      validity: method === 'solana' ? null : computeV2Validity(chosen.maxTimeoutSeconds),
    }),
  };
}

/**
 * Returns the reason why no option has the scheme `exact`. If no option has the members of its scheme, not even clients
 * of these schemes can pay.
 */
function explainScheme(options: readonly ClientOption[]): Refusal {
  const missing = options.map((option) =>
    option.caip2.startsWith('eip155:') ? findMissingSchemeMember(option) : null,
  );
  const [member] = missing;
  if (typeof member !== 'string' || !missing.every((name) => typeof name === 'string')) return STEPS.scheme;
  const reason = `The scheme ${quote(options[0]?.scheme)} requires extra.${member}, so not even clients of this scheme can pay.`;
  return { step: STEPS.scheme.step, reason };
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

function selectAmount({ amount, maxAmountRequired }: ClientOption, version: Version): unknown {
  return version === 1 ? maxAmountRequired : amount;
}

function findUnsignableOnEvm(option: ClientOption, version: Version): string | null {
  // In version 2 the client extracts the chain id from the network, which throws for a list.
  if (version === 2 && !option.isNetworkText) return 'network';
  const member = findUnsignableEvmMember({ ...option, amount: selectAmount(option, version) });
  if (member !== null) return member;
  if (computeV2Validity(option.maxTimeoutSeconds) === null) return 'maxTimeoutSeconds';
  // A Permit2 payment is signed with the EIP-712 domain of the Permit2 contract, so the domain of the token is not
  // needed.
  if (getEvmMethod(option, version) === 'permit2') return null;
  const fault = findDomainFault(option.extra);
  return fault === null || fault.isSignable ? null : fault.name;
}

/** Returns the method by which the client pays: Permit2 if a version 2 option requests Permit2, else EIP-3009. */
function getEvmMethod({ extra }: ClientOption, version: Version): 'permit2' | 'eip3009' {
  return version === 2 && readMember(extra, 'assetTransferMethod') === 'permit2' ? 'permit2' : 'eip3009';
}

function findUnsignableOnSolana(option: ClientOption, version: Version): string | null {
  const feePayer = readMember(option.extra, 'feePayer');
  const member = findUnsignableSolanaMember({ ...option, amount: selectAmount(option, version), feePayer });
  if (member !== null) return member;
  return isAttachableMemo(readMember(option.extra, 'memo')) ? null : 'extra.memo';
}
