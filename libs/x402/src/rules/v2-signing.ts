import { assetShape, isBase58Address } from '../address.ts';
import { hasDomain } from '../domain.ts';
import type { EntryFields } from '../entry.ts';
import { isOnEvm, signsDomain, transferMethodOf } from './option-kind.ts';
import { eachV2, expect, type Outcome, type Rule } from './rule.ts';
import { quote } from '../text.ts';
import { findToken, type Token } from '../tokens.ts';

const METHODS = new Set<unknown>(['eip3009', 'permit2', 'erc7710']);
const FLOWS = new Set<unknown>(['authorization', 'upfront', 'escrow']);

function checkDomain(fields: EntryFields): Outcome {
  if (!signsDomain(fields)) return 'skip';
  return expect(
    hasDomain(fields.extra),
    'extra lacks name or version of the token as text, without which nothing can be signed.',
  );
}

/**
 * Shared with version 1: the domain an option names against the one its token has.
 *
 * @param network CAIP-2 id
 */
export function checkDomainOfToken({ extra }: EntryFields, network: string, asset: unknown): Outcome {
  const domain = typeof asset === 'string' ? findToken(network, asset)?.domain : null;
  if (!domain || !hasDomain(extra)) return 'skip';
  return expect(
    extra?.name === domain.name && extra.version === domain.version,
    () =>
      `extra says ${quote(extra?.name)} version ${quote(extra?.version)}; the token signs as "${domain.name}" version "${domain.version}".`,
  );
}

function checkDomainValue(fields: EntryFields): Outcome {
  if (!signsDomain(fields) || typeof fields.network !== 'string') return 'skip';
  return checkDomainOfToken(fields, fields.network, fields.asset);
}

function checkTransferMethod(fields: EntryFields): Outcome {
  if (fields.scheme !== 'exact' || !isOnEvm(fields)) return 'skip';
  const method = transferMethodOf(fields);
  const token = tokenOf(fields);
  if (method !== null && !METHODS.has(method))
    return { message: `extra.assetTransferMethod is ${quote(method)}; it is eip3009, permit2 or erc7710.` };
  if (token?.permit2Only === true) return checkPermit2(method, token);
  return method === null ? 'skip' : 'pass';
}

function checkPermit2(method: unknown, { symbol }: Token): Outcome {
  if (method === 'eip3009')
    return {
      message: `extra.assetTransferMethod is eip3009, which ${symbol} of this network does not take.`,
    };
  // The specification lets it be absent, the client then signs what the token does not take.
  return expect(
    method !== null,
    () =>
      `extra.assetTransferMethod is missing, and stock clients then sign by eip3009, which ${symbol} of this network does not take.`,
    { severity: 'warning' },
  );
}

function tokenOf({ network, asset }: EntryFields): Token | null {
  return typeof network === 'string' && typeof asset === 'string' ? findToken(network, asset) : null;
}

function checkPaymentFlow({ scheme, extra }: EntryFields): Outcome {
  const flow = extra?.paymentFlow ?? null;
  if (flow !== null)
    return expect(
      FLOWS.has(flow),
      () => `extra.paymentFlow is ${quote(flow)}; it is authorization, upfront or escrow.`,
    );
  // Where the scheme has an escrow by default, nothing is missing. Source: x402 auth-capture scheme on EVM, `extra`.
  const sign = scheme === 'auth-capture' ? null : escrowMemberOf(extra);
  if (sign === null) return 'skip';
  return {
    message: `extra.${sign} tells of an escrow and extra.paymentFlow is missing: clients take it for a direct payment.`,
    severity: 'warning',
  };
}

/** The first member that only an escrow has. Source: x402 auth-capture scheme on EVM, `extra` fields. */
function escrowMemberOf(extra: EntryFields['extra']): string | null {
  const signs: readonly (readonly [name: string, value: unknown])[] = [
    ['authCaptureEscrow', extra?.authCaptureEscrow],
    ['captureAuthorizer', extra?.captureAuthorizer],
    ['captureDeadline', extra?.captureDeadline],
    ['escrow', extra?.escrow],
    ['escrowAddress', extra?.escrowAddress],
    ['escrowContract', extra?.escrowContract],
  ];
  const found = signs.find(([, value]) => value !== undefined && value !== null && value !== false);
  return found?.[0] ?? null;
}

function checkFeePayer({ scheme, network, asset, extra }: EntryFields): Outcome {
  if (scheme !== 'exact' || typeof network !== 'string' || !network.startsWith('solana:')) return 'skip';
  // An option in the token of another chain is no Solana option, whatever its network says.
  if (typeof asset === 'string' && assetShape(network, asset) === 'bad') return 'skip';
  return expect(
    isBase58Address(extra?.feePayer),
    () => `extra.feePayer is ${quote(extra?.feePayer)}; it must be the Solana address that pays the fees.`,
  );
}

/** Rules on what the buyer of version 2 has to know to sign a payment. */
export const V2_SIGNING_RULES: readonly Rule[] = [
  {
    id: 'v2-eip712-domain',
    axis: 'payable',
    severity: 'error',
    holds: 'Every option paid by EIP-3009 names the EIP-712 domain of its token.',
    fix: 'Set extra.name and extra.version to the EIP-712 domain of the token contract.',
    reference: { source: 'EXACT_EVM', clause: '1, extra' },
    check: eachV2(checkDomain),
  },
  {
    id: 'v2-eip712-domain-value',
    axis: 'payable',
    severity: 'error',
    holds: 'The EIP-712 domain is the one the token has.',
    fix: 'Copy extra.name and extra.version from the name() and version() of the token on that network.',
    reference: { source: 'EXACT_EVM', clause: '1, extra' },
    check: eachV2(checkDomainValue),
  },
  {
    id: 'v2-transfer-method',
    axis: 'payable',
    severity: 'error',
    holds: 'Every transfer method is one of the specification and one the token takes.',
    fix: 'Set extra.assetTransferMethod to eip3009, permit2 or erc7710, whichever the token supports.',
    reference: { source: 'EXACT_EVM', clause: 'Summary' },
    check: eachV2(checkTransferMethod),
  },
  {
    id: 'v2-payment-flow',
    axis: 'payable',
    severity: 'error',
    holds: 'Every payment flow is one clients know, and an escrow is named as one.',
    fix: 'Set extra.paymentFlow to authorization, upfront or escrow.',
    reference: { source: 'V2_CLIENT', clause: 'selectPaymentRequirements' },
    check: eachV2(checkPaymentFlow),
  },
  {
    id: 'v2-svm-fee-payer',
    axis: 'payable',
    severity: 'error',
    holds: 'Every option on Solana names who pays the fees.',
    fix: 'Set extra.feePayer to the Solana address of the facilitator that sponsors the transaction.',
    reference: { source: 'EXACT_SVM', clause: 'PaymentRequirements' },
    check: eachV2(checkFeePayer),
  },
];
