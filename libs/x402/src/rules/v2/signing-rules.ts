import { checkAssetFormat, isBase58Address, isEvmAddress } from '../../networks/address.ts';
import {
  describeWrongDomain,
  findToken,
  findTokenOfOtherNetwork,
  hasEip712Domain,
} from '../../networks/tokens.ts';
import { findCanonicalUsdc, type Token } from '../../networks/networks.ts';
import type { Entry } from '../../challenge/envelope.ts';
import { hasOwnDomain } from '../../challenge/own-domain.ts';
import { listDomainFaults } from '../../clients/signing.ts';
import { listMissingSchemeMembers } from '../../clients/scheme-members.ts';
import { completeOption, getTransferMethod, isOnEvm, isPaidByEip3009 } from '../offered-options.ts';
import { checkEachV2Option, type Outcome, passIf, type Rule } from '../rule.ts';
import { quote, readMember } from '../../json/untrusted-json.ts';

type Option = ReturnType<typeof completeOption>;

/** Transfer methods of each scheme that reads them. Source: x402 exact scheme on EVM; @x402/evm 2.27. */
const TRANSFER_METHODS = new Map<unknown, readonly unknown[]>([
  ['exact', ['eip3009', 'permit2', 'erc7710']],
  ['batch-settlement', ['eip3009', 'permit2']],
]);
const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const PAYMENT_FLOWS = new Set<unknown>(['authorization', 'upfront', 'escrow']);
/** Members of `extra` that occur only in escrow payments. Source: x402 auth-capture scheme on EVM, `extra` fields. */
const ESCROW_MEMBERS = [
  ...['authCaptureEscrow', 'captureAuthorizer', 'captureDeadline'],
  ...['escrow', 'escrowAddress', 'escrowContract'],
];

function checkDomain(entry: Entry): Outcome {
  if (!isPaidByEip3009(completeOption(entry))) return 'skip';
  const faults = listDomainFaults(entry.extra);
  const [first] = faults;
  if (first === undefined) return 'pass';
  const expected =
    first.name === 'extra'
      ? 'it must have the name and the version of the token'
      : `${faults.length > 1 ? 'both' : 'it'} must be a string`;
  const effect = faults.every(({ isSignable }) => isSignable)
    ? 'Clients sign with this value, but the token contract rejects the payment.'
    : 'As it is, clients cannot sign a payment.';
  return { message: `${describeMembers(faults)}; ${expected}. ${effect}` };
}

/** Names members and their values, as in `extra.name is missing and extra.version is 2`. */
export function describeMembers(
  members: readonly { readonly name: string; readonly value: unknown }[],
): string {
  return members.map(({ name, value }) => `${name} is ${quote(value)}`).join(' and ');
}

/**
 * Checks that the EIP-712 domain of an option equals the domain of its token. If the asset is not the token that the
 * option names, the domain may also be that of the named token. Skips options with a domain of their own. Rules for
 * version 1 use this function too.
 *
 * @param option option with a CAIP-2 id as its network
 */
export function checkTokenDomain({ network, asset, extra }: Option): Outcome {
  if (!hasEip712Domain(extra) || hasOwnDomain({ asset, extra }, network)) return 'skip';
  const faults = listExpectedDomains({ network, asset, name: readMember(extra, 'name') }).map((domain) =>
    describeWrongDomain(extra, domain),
  );
  const [fault] = faults;
  if (fault === undefined) return 'skip';
  return fault === null || faults.includes(null) ? 'pass' : { message: `${fault}.` };
}

/** Network, asset and token name of an option. */
interface NamedToken {
  readonly network: string;
  readonly asset: unknown;
  readonly name: unknown;
}

/**
 * Returns the possible domains of the token that an option means: the domain of its asset. For a token of another
 * network, that token's domain is possible too. For an asset that is not an address, the name decides.
 */
function listExpectedDomains({ network, asset, name }: NamedToken): readonly NonNullable<Token['domain']>[] {
  const address = typeof asset === 'string' ? asset : '';
  const token = findToken(network, address);
  const stray = token === null ? findTokenOfOtherNetwork(network, address) : null;
  const usdc = findCanonicalUsdc(network);
  const isMeant = stray?.symbol === usdc?.symbol || name === usdc?.domain?.name;
  const isAddress = checkAssetFormat(network, address) === 'valid';
  const named = isMeant && (stray !== null || !isAddress) ? usdc : null;
  return [token, named, stray].flatMap((candidate) => candidate?.domain ?? []);
}

function checkDomainValue(fields: Entry): Outcome {
  const option = completeOption(fields);
  return isPaidByEip3009(option) ? checkTokenDomain(option) : 'skip';
}

function checkTransferMethod(advertised: Entry): Outcome {
  const fields = completeOption(advertised);
  const methods = TRANSFER_METHODS.get(fields.scheme);
  if (methods === undefined || !isOnEvm(fields) || hasOwnDomain(fields, fields.network)) return 'skip';
  const method = getTransferMethod(fields);
  const token = findOptionToken(fields);
  if (method !== null && !methods.includes(method))
    return {
      message: `extra.assetTransferMethod is ${quote(method)}; it must be ${EITHER.format(methods.map(String))}.`,
    };
  if (token?.isPermit2Only === true) return checkPermit2(method, token);
  return method === null ? 'skip' : 'pass';
}

function checkPermit2(method: unknown, { symbol }: Token): Outcome {
  if (method === 'eip3009')
    return {
      message: `extra.assetTransferMethod is eip3009, which ${symbol} on this network does not support.`,
    };
  return passIf(
    method !== null,
    () =>
      `extra.assetTransferMethod is missing. Clients then sign by eip3009, which ${symbol} on this network does not support, so the payment fails.`,
  );
}

function findOptionToken({ network, asset }: Entry): Token | null {
  return typeof network === 'string' && typeof asset === 'string' ? findToken(network, asset) : null;
}

function checkPaymentFlow(fields: Entry): Outcome {
  const { scheme, extra } = completeOption(fields);
  const flow = readMember(extra, 'paymentFlow') ?? null;
  if (flow !== null)
    return passIf(
      PAYMENT_FLOWS.has(flow),
      () => `extra.paymentFlow is ${quote(flow)}; it must be authorization, upfront or escrow.`,
    );
  // Options of the scheme auth-capture need no `paymentFlow`, because their default is escrow. Source: x402
  // auth-capture scheme on EVM, `extra`.
  const name =
    scheme === 'auth-capture'
      ? undefined
      : ESCROW_MEMBERS.find((member) => (readMember(extra, member) ?? false) !== false);
  if (name === undefined) return 'skip';
  return {
    message: `extra.${name} indicates an escrow, but extra.paymentFlow is missing, so clients assume a direct payment.`,
    severity: 'warning',
  };
}

function checkSchemeMembers(entry: Entry): Outcome {
  const { extra } = entry;
  const option = completeOption(entry);
  const names = listMissingSchemeMembers(option);
  if (names === undefined) return 'skip';
  const members = names.map((name) => ({ name: `extra.${name}`, value: readMember(extra, name) }));
  return passIf(
    members.length === 0,
    () => `${describeMembers(members)}, so not even clients of the scheme ${quote(option.scheme)} can pay.`,
  );
}

/** Checks the fee payer of an option on Solana. Rules for version 1 use this function too. */
export function checkFeePayer({ scheme, network, asset, payTo, extra }: Option): Outcome {
  if (scheme !== 'exact' || !network.startsWith('solana:')) return 'skip';
  // The rule `v2-asset-shape` reports an option whose addresses show that its network is wrong.
  if (isEvmAddress(asset) && isEvmAddress(payTo)) return 'skip';
  const feePayer = readMember(extra, 'feePayer');
  return passIf(
    isBase58Address(feePayer),
    () =>
      `extra.feePayer is ${quote(feePayer)}; it must be the Solana address of the account that pays the fees.`,
  );
}

/** Rules for the data that version 2 clients need to sign a payment. */
export const V2_SIGNING_RULES: readonly Rule[] = [
  {
    id: 'v2-eip712-domain',
    level: ['payable', 'error'],
    requirement: 'Every option paid by EIP-3009 names the EIP-712 domain of its token.',
    fix: 'Set extra.name and extra.version to the EIP-712 domain of the token contract.',
    reference: { source: 'EXACT_EVM', clause: '1, extra' },
    check: checkEachV2Option(checkDomain),
  },
  {
    id: 'v2-eip712-domain-value',
    level: ['payable', 'error'],
    requirement: 'The EIP-712 domain in extra is the domain of the token contract.',
    fix: 'Copy extra.name and extra.version from name() and version() of the token contract on that network.',
    reference: { source: 'EXACT_EVM', clause: '1, extra' },
    check: checkEachV2Option(checkDomainValue),
  },
  {
    id: 'v2-transfer-method',
    level: ['payable', 'error'],
    requirement: 'The specification defines every transfer method, and the token supports it.',
    fix: 'Set extra.assetTransferMethod to eip3009, permit2 or erc7710, whichever the token supports.',
    reference: { source: 'EXACT_EVM', clause: 'Summary' },
    check: checkEachV2Option(checkTransferMethod),
  },
  {
    id: 'v2-payment-flow',
    level: ['payable', 'error'],
    requirement: 'Clients support every payment flow, and an escrow is declared as one.',
    fix: 'Set extra.paymentFlow to authorization, upfront or escrow.',
    reference: { source: 'V2_CLIENT', clause: 'selectPaymentRequirements' },
    check: checkEachV2Option(checkPaymentFlow),
  },
  {
    id: 'v2-scheme-members',
    level: ['payable', 'error'],
    requirement:
      'Every option of another scheme than exact has the members of extra that clients of its scheme require.',
    fix: 'Set extra as the specification of the scheme requires: facilitatorAddress for upto, receiverAuthorizer for batch-settlement, captureAuthorizer, feeRecipient, deadlines and fees for auth-capture.',
    reference: { source: 'V2_CLIENT', clause: 'createPaymentPayload' },
    check: checkEachV2Option(checkSchemeMembers),
  },
  {
    id: 'v2-svm-fee-payer',
    level: ['payable', 'error'],
    requirement: 'Every option on Solana names the account that pays the fees.',
    fix: 'Set extra.feePayer to the Solana address of the facilitator that sponsors the transaction.',
    reference: { source: 'EXACT_SVM', clause: 'PaymentRequirements' },
    check: checkEachV2Option((fields) => checkFeePayer(completeOption(fields))),
  },
];
