import type { Envelope, Entry } from '../challenge/envelope.ts';
import { type Outcome, passIf, type RuleInput } from './rule.ts';
import { toBareAsset } from '../networks/tokens.ts';
import { hasOwnDomain } from '../challenge/own-domain.ts';
import type { PaymentOption } from '../types.ts';
import { isBase58Address, isEvmAddress } from '../networks/address.ts';
import { getNamespace, toCaip2 } from '../networks/networks.ts';
import { quote, readMember } from '../json/untrusted-json.ts';

type OfferingResponse = Pick<RuleInput, 'header' | 'body'>;

/**
 * Returns the payment envelope that a buyer reads, from the header or else from the body. Ignores envelopes of unknown
 * versions.
 */
export function findOfferedEnvelope({ header, body }: OfferingResponse): Envelope | null {
  if (header.state === 'read' && header.envelope.version !== null) return header.envelope;
  return body.state === 'read' && body.envelope.version !== null ? body.envelope : null;
}

/** Returns the payment options of the envelope that a buyer reads. */
export function findOfferedOptions(input: OfferingResponse): readonly PaymentOption[] {
  return findOfferedEnvelope(input)?.options ?? [];
}

/** Normalizes an address or id for comparison: hexadecimal ids become lower case, all other ids stay unchanged. */
export function normalizeId(id: string): string {
  return /^0x/i.test(id) ? id.toLowerCase() : id;
}

export function toAssetKey({ network, asset }: PaymentOption): string {
  return `${network} ${normalizeId(toBareAsset(network, asset))}`;
}

/** Returns the amount as text. Returns null for a malformed amount, which another rule reports. */
export function toAmountText({ amount }: PaymentOption): string | null {
  return amount === null ? null : String(amount);
}

/** Returns the normalized payee address. Returns null for an empty address, which another rule reports. */
export function toPayeeKey({ payTo }: PaymentOption): string | null {
  return payTo === '' ? null : normalizeId(payTo);
}

/**
 * Returns a key that is equal for options with the same scheme and asset. The key contains the scheme, because an
 * `exact` price and an `upto` maximum are not comparable.
 */
function toComparisonKey(option: PaymentOption): string {
  return JSON.stringify([option.scheme, toAssetKey(option)]);
}

/**
 * Payment options of two sources, such as header and body. Each source may have options that the other source lacks.
 */
type OptionSources = readonly [ones: readonly PaymentOption[], others: readonly PaymentOption[]];

/** Returns true if both sources have an option with the same value; null if one source has no options. */
function haveCommonValue(
  [ones, others]: OptionSources,
  getValue: (option: PaymentOption) => string,
): boolean | null {
  if (ones.length === 0 || others.length === 0) return null;
  const values = new Set(others.map(getValue));
  return ones.some((option) => values.has(getValue(option)));
}

function haveCommonNetwork(sources: OptionSources): boolean | null {
  return haveCommonValue(sources, ({ network }) => network);
}

/** Checks that two sources of options have a network in common. */
export function checkCommonNetwork(sources: OptionSources, message: Parameters<typeof passIf>[1]): Outcome {
  const isCommon = haveCommonNetwork(sources);
  return isCommon === null ? 'skip' : passIf(isCommon, message);
}

/**
 * Checks that two sources of options have an asset in common. Skips sources without a common network: their assets
 * always differ, and the rule on networks reports this fault.
 */
export function checkCommonAsset(sources: OptionSources, message: string): Outcome {
  if (haveCommonNetwork(sources) !== true) return 'skip';
  return passIf(haveCommonValue(sources, toAssetKey) === true, message);
}

/**
 * Checks that two sources of options agree on a value, such as the payee, for each asset that both offer.
 *
 * @param formatMessage formats the first contradiction; `more` is the number of further contradictions
 */
export function checkSameValue(
  sources: OptionSources,
  getValue: (option: PaymentOption) => string | null,
  formatMessage: (pair: OptionPair, more: number) => string,
): Outcome {
  const contradictions = findContradictions(sources, getValue);
  if (contradictions === null) return 'skip';
  const [pair, ...more] = contradictions;
  return pair === undefined ? 'pass' : { message: formatMessage(pair, more.length) };
}

/** Two options from different sources with the same scheme and asset. */
interface OptionPair {
  readonly one: PaymentOption;
  readonly other: PaymentOption;
}

/**
 * Finds contradictions between the payment options of two sources, such as header and body. Options are compared by
 * scheme and asset, not by list position. If a source has several options for one scheme and asset, one pair with equal
 * values is enough.
 *
 * @param getValue returns the value to compare; options without this value are ignored
 * @returns the first pair for each scheme and asset on which the sources disagree; null when nothing could be compared
 */
function findContradictions(
  [ones, others]: OptionSources,
  getValue: (option: PaymentOption) => string | null,
): readonly OptionPair[] | null {
  const groupByKey = (options: readonly PaymentOption[]) =>
    Map.groupBy(
      options.filter((option) => getValue(option) !== null),
      toComparisonKey,
    );
  const otherGroups = groupByKey(others);
  const shared = [...groupByKey(ones)].flatMap(([key, group]) => {
    const [one] = group;
    const [other] = otherGroups.get(key) ?? [];
    if (one === undefined || other === undefined) return [];
    const values = new Set(otherGroups.get(key)?.map(getValue));
    return [{ one, other, agree: group.some((option) => values.has(getValue(option))) }];
  });
  return shared.length === 0 ? null : shared.filter(({ agree }) => !agree);
}

const EVM_NAMESPACE = 'eip155:';
const SOLANA_NAMESPACE = 'solana:';

/** Format of a CAIP-2 network id. */
const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/;

/**
 * Format of network ids by CAIP-2 namespace: a chain id for eip155, the start of a genesis hash for solana. Source:
 * CAIP-2 profiles.
 */
const NAMESPACE_PROFILES = new Map([
  ['eip155', /^eip155:[0-9]{1,32}$/],
  ['solana', /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/],
]);

/** Schemes that have a specification and a reference client. Source: x402 v2 specification, folder `schemes`. */
const KNOWN_SCHEMES = ['exact', 'upto', 'batch-settlement', 'auth-capture'] as const;

const schemeByLowerCase = new Map<string, string>(KNOWN_SCHEMES.map((scheme) => [scheme, scheme]));

/** Schemes whose clients sign with the EIP-712 domain of the token. Source: @x402/evm 2.27. */
const EIP3009_SCHEMES = new Set<unknown>(['exact', 'batch-settlement', 'auth-capture']);

/** Returns true for a well-formed CAIP-2 id that also matches the profile of its namespace. */
export function isCaip2(network: unknown): network is string {
  return typeof network === 'string' && CAIP2.test(network) && !violatesNamespaceProfile(network);
}

/** Returns true for a network id with the namespace eip155 or solana but the wrong format, such as `eip155:base`. */
export function violatesNamespaceProfile(network: unknown): boolean {
  if (typeof network !== 'string') return false;
  return NAMESPACE_PROFILES.get(getNamespace(network))?.test(network) === false;
}

/** Returns true for a scheme that the specification defines and the reference clients support. */
export function isKnownScheme(scheme: unknown): boolean {
  return findKnownScheme(scheme) === scheme;
}

/** Returns the known scheme that equals a text in any case and between spaces; undefined for another value. */
export function findKnownScheme(scheme: unknown): string | undefined {
  return typeof scheme === 'string' ? schemeByLowerCase.get(scheme.trim().toLowerCase()) : undefined;
}

/**
 * Returns the members of an option with the scheme and the network that its seller most likely means, so that rules
 * also check the other members of an option whose scheme or network is invalid. Replaces a missing scheme by `exact`,
 * another spelling of a known scheme by its name, and a version 1 name in any case by the CAIP-2 id. Replaces a network that is neither by the namespace of the addresses, such as
 * `eip155:`; see `quoteNetwork`.
 */
export function completeOption(fields: Entry): Entry & { readonly network: string } {
  const { scheme, network } = fields;
  const isNamed = typeof scheme === 'string' && scheme !== '';
  const id = typeof network === 'string' ? toCaip2(network) : '';
  return {
    ...fields,
    scheme: isNamed ? (findKnownScheme(scheme) ?? scheme) : 'exact',
    network: id.includes(':') ? id : inferNamespace(fields),
  };
}

/**
 * Returns a version 1 option as `completeOption` does. Replaces every scheme by `exact`, the only scheme of version 1.
 */
export function completeV1Option(fields: Entry): ReturnType<typeof completeOption> {
  return completeOption({ ...fields, scheme: 'exact' });
}

/** Returns the namespace of the asset, or else of the payee; empty for other values than EVM and Solana addresses. */
function inferNamespace({ asset, payTo }: Entry): string {
  const address = [asset, payTo].find((value) => isEvmAddress(value) || isBase58Address(value));
  if (address === undefined) return '';
  return isEvmAddress(address) ? EVM_NAMESPACE : SOLANA_NAMESPACE;
}

/** Quotes the network of a completed option, or names the kind of network if the network is not known. */
export function quoteNetwork(network: string): string {
  if (network === EVM_NAMESPACE) return 'an EVM network';
  return network === SOLANA_NAMESPACE ? 'Solana' : quote(network);
}

/** Returns true for a version 2 option on an EVM network. */
export function isOnEvm({ network }: Entry): boolean {
  return typeof network === 'string' && network.startsWith('eip155:');
}

/**
 * Returns `extra.assetTransferMethod` of an option. Returns null when it is missing, so that clients use their default.
 */
export function getTransferMethod({ extra }: Entry): unknown {
  return readMember(extra, 'assetTransferMethod') ?? null;
}

/**
 * Returns true for a version 2 option that is paid by an EIP-3009 authorization, which is signed with the EIP-712
 * domain of the token. False for an option with a domain of its own; see `hasOwnDomain`.
 */
export function isPaidByEip3009(fields: Entry): boolean {
  if (hasOwnDomain(fields, fields.network)) return false;
  const method = getTransferMethod(fields);
  return EIP3009_SCHEMES.has(fields.scheme) && isOnEvm(fields) && (method === null || method === 'eip3009');
}
