import { checkAssetFormat, isBase58Address } from '../../networks/address.ts';
import { describeWrongDomain, findToken, hasEip712Domain } from '../../networks/tokens.ts';
import type { Token } from '../../networks/networks.ts';
import type { Entry, EntryFields } from '../../challenge/envelope.ts';
import { hasOwnDomain } from '../../challenge/own-domain.ts';
import { findDomainFault } from '../../clients/signing.ts';
import { findMissingSchemeMember } from '../../clients/scheme-members.ts';
import { getTransferMethod, isOnEvm, isPaidByEip3009 } from '../offered-options.ts';
import { checkEachEntry, checkEachV2Option, type Outcome, passIf, type Rule } from '../rule.ts';
import { quote, readMember } from '../../json/untrusted-json.ts';

const TRANSFER_METHODS = new Set<unknown>(['eip3009', 'permit2', 'erc7710']);
const PAYMENT_FLOWS = new Set<unknown>(['authorization', 'upfront', 'escrow']);

function checkDomain({ fields, raw }: Entry): Outcome {
  if (!isPaidByEip3009(fields)) return 'skip';
  const fault = findDomainFault(readMember(raw, 'extra'));
  if (fault === null) return 'pass';
  const { name, value, isSignable } = fault;
  return {
    message: isSignable
      ? `${name} is ${quote(value)}; clients sign with this value, but the token contract expects a string and rejects the payment.`
      : `${name} is ${quote(value)}; it must ${name === 'extra' ? 'have the name and the version of the token' : 'be a string'}. As it is, clients cannot sign a payment.`,
  };
}

/**
 * Checks that the EIP-712 domain of an option equals the domain of its token. Skips options with a domain of their own.
 * Rules for version 1 use this function too.
 *
 * @param network CAIP-2 id
 */
export function checkTokenDomain({ extra }: EntryFields, network: string, asset: unknown): Outcome {
  const domain = typeof asset === 'string' ? findToken(network, asset)?.domain : null;
  if (!domain || !hasEip712Domain(extra) || hasOwnDomain({ asset, extra }, network)) return 'skip';
  const fault = describeWrongDomain(extra, domain);
  return fault === null ? 'pass' : { message: `${fault}.` };
}

function checkDomainValue(fields: EntryFields): Outcome {
  if (!isPaidByEip3009(fields) || typeof fields.network !== 'string') return 'skip';
  return checkTokenDomain(fields, fields.network, fields.asset);
}

function checkTransferMethod(fields: EntryFields): Outcome {
  if (fields.scheme !== 'exact' || !isOnEvm(fields) || hasOwnDomain(fields, fields.network)) return 'skip';
  const method = getTransferMethod(fields);
  const token = findOptionToken(fields);
  if (method !== null && !TRANSFER_METHODS.has(method))
    return {
      message: `extra.assetTransferMethod is ${quote(method)}; it must be eip3009, permit2 or erc7710.`,
    };
  if (token?.isPermit2Only === true) return checkPermit2(method, token);
  return method === null ? 'skip' : 'pass';
}

function checkPermit2(method: unknown, { symbol }: Token): Outcome {
  if (method === 'eip3009')
    return {
      message: `extra.assetTransferMethod is eip3009, which ${symbol} on this network does not support.`,
    };
  // A missing `assetTransferMethod` is only a warning, because the specification makes it optional. If it is missing,
  // clients sign by EIP-3009, but the token does not support EIP-3009.
  return passIf(
    method !== null,
    () =>
      `extra.assetTransferMethod is missing. Clients then sign by eip3009, which ${symbol} on this network does not support.`,
    { severity: 'warning' },
  );
}

function findOptionToken({ network, asset }: EntryFields): Token | null {
  return typeof network === 'string' && typeof asset === 'string' ? findToken(network, asset) : null;
}

function checkPaymentFlow({ scheme, extra }: EntryFields): Outcome {
  const flow = extra?.paymentFlow ?? null;
  if (flow !== null)
    return passIf(
      PAYMENT_FLOWS.has(flow),
      () => `extra.paymentFlow is ${quote(flow)}; it must be authorization, upfront or escrow.`,
    );
  // Options of the scheme auth-capture need no `paymentFlow`, because their default is escrow. Source: x402
  // auth-capture scheme on EVM, `extra`.
  const name = scheme === 'auth-capture' ? null : findEscrowMember(extra);
  if (name === null) return 'skip';
  return {
    message: `extra.${name} indicates an escrow, but extra.paymentFlow is missing, so clients assume a direct payment.`,
    severity: 'warning',
  };
}

/**
 * Returns the name of the first `extra` member that occurs only in escrow payments; null when `extra` has no such
 * member. Source: x402 auth-capture scheme on EVM, `extra` fields.
 */
function findEscrowMember(extra: EntryFields['extra']): string | null {
  const escrowMembers: readonly (readonly [name: string, value: unknown])[] = [
    ['authCaptureEscrow', extra?.authCaptureEscrow],
    ['captureAuthorizer', extra?.captureAuthorizer],
    ['captureDeadline', extra?.captureDeadline],
    ['escrow', extra?.escrow],
    ['escrowAddress', extra?.escrowAddress],
    ['escrowContract', extra?.escrowContract],
  ];
  const found = escrowMembers.find(([, value]) => value !== undefined && value !== null && value !== false);
  return found?.[0] ?? null;
}

function checkSchemeMembers({ fields, raw }: Entry): Outcome {
  const extra = readMember(raw, 'extra');
  const name = findMissingSchemeMember({ ...fields, extra });
  if (name === undefined) return 'skip';
  return passIf(
    name === null,
    () =>
      `extra.${name ?? ''} is ${quote(readMember(extra, name ?? ''))}, so not even clients of the scheme ${quote(fields.scheme)} can pay.`,
  );
}

function checkFeePayer({ scheme, network, asset, extra }: EntryFields): Outcome {
  if (scheme !== 'exact' || typeof network !== 'string' || !network.startsWith('solana:')) return 'skip';
  // The rule `v2-asset-shape` reports an asset that is not a Solana address.
  if (typeof asset === 'string' && checkAssetFormat(network, asset) === 'invalid') return 'skip';
  return passIf(
    isBase58Address(extra?.feePayer),
    () =>
      `extra.feePayer is ${quote(extra?.feePayer)}; it must be the Solana address of the account that pays the fees.`,
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
    check: ({ v2 }) => checkEachEntry(v2, checkDomain),
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
    check: ({ v2 }) => checkEachEntry(v2, checkSchemeMembers),
  },
  {
    id: 'v2-svm-fee-payer',
    level: ['payable', 'error'],
    requirement: 'Every option on Solana names the account that pays the fees.',
    fix: 'Set extra.feePayer to the Solana address of the facilitator that sponsors the transaction.',
    reference: { source: 'EXACT_SVM', clause: 'PaymentRequirements' },
    check: checkEachV2Option(checkFeePayer),
  },
];
