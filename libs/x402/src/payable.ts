import { PaymentRequirementsV1Schema, PaymentRequirementsV2Schema } from '@x402/core/schemas';
import { isEvmAddress } from './address.ts';
import type { Entry } from './entry.ts';
import type { Envelope } from './envelope.ts';
import { readAmount } from './money.ts';
import { caip2Of, isInV1Client, isV1Name } from './networks.ts';
import { findToken } from './tokens.ts';
import { parsesInV1Client } from './v1-entry.ts';

/**
 * What signing needs of a version 1 entry. The version 2 client never looks at the members that describe the
 * resource, so their absence does not keep it from paying.
 */
const SignableV1 = PaymentRequirementsV1Schema.pick({
  scheme: true,
  network: true,
  maxAmountRequired: true,
  asset: true,
  payTo: true,
  maxTimeoutSeconds: true,
  extra: true,
});

const EVM_NETWORK = /^eip155:[1-9][0-9]{0,15}$/;
const FLOWS = new Set<unknown>([undefined, null, 'authorization', 'upfront', 'escrow']);

/**
 * Would the version 2 reference client, holding an EVM wallet, sign a payment for this envelope?
 *
 * Follows @x402/core 2.25 `selectPaymentRequirements` and @x402/evm `ExactEvmScheme`: of the options of scheme
 * `exact` on EVM it prefers the authorization flow, takes the first that is left, and does not try another when
 * that one cannot be signed. Whether a buyer lets it pay in tokens outside its own table is a setting, so either
 * setting will do; how much a buyer lets it spend is no matter of the envelope at all.
 *
 * @param envelope from the header; or from the body, where the client reads version 1 only
 */
export function isPayableByV2Client(envelope: Envelope): boolean {
  const { x402Version } = envelope.fields;
  if (x402Version !== 1 && x402Version !== 2) return false;
  const entries = whole(envelope);
  if (entries === null) return false;
  const supported = entries.filter((entry) => isSupported(entry, x402Version));
  // It compares every asset with its table, and falls over one that is no text.
  if (!supported.every(({ fields }) => typeof fields.asset === 'string')) return false;
  return [supported.filter(isOfClientTable), supported].some((list) => {
    const chosen = list.find(isAuthorized) ?? list[0];
    return chosen !== undefined && canSign(chosen, x402Version);
  });
}

/**
 * Would the last version 1 client, holding an EVM wallet, sign a payment for this body? It parses every
 * entry before it chooses, so one it cannot parse keeps it from paying at all. Source: x402 1.2, x402-fetch 1.2.
 */
export function isPayableByV1Client(envelope: Envelope): boolean {
  if (envelope.fields.x402Version !== 1) return false;
  const entries = whole(envelope);
  if (entries === null || !entries.every((entry) => parsesInV1Client(entry.raw))) return false;
  return entries.some((entry) => isEvmV1(entry, isInV1Client) && canSign(entry, 1));
}

/** The entries; null when one of them is no object, over which both clients fall. */
function whole(envelope: Envelope): readonly Entry[] | null {
  const entries = envelope.entries.filter((entry) => entry !== null);
  return entries.length === envelope.entries.length ? entries : null;
}

function isSupported({ fields }: Entry, version: 1 | 2): boolean {
  const { scheme, network, extra } = fields;
  if (scheme !== 'exact' || !FLOWS.has(extra?.paymentFlow)) return false;
  return version === 1
    ? isEvmV1({ fields }, isV1Name)
    : typeof network === 'string' && network.startsWith('eip155:');
}

function isAuthorized({ fields }: Entry): boolean {
  const flow = fields.extra?.paymentFlow;
  return flow === undefined || flow === null || flow === 'authorization';
}

function isOfClientTable({ fields }: Entry): boolean {
  const { network, asset } = fields;
  if (typeof network !== 'string' || !isEvmAddress(asset)) return false;
  return findToken(caip2Of(network), asset)?.clientDefault === true;
}

function isEvmV1({ fields }: Pick<Entry, 'fields'>, isNamed: (name: string) => boolean): boolean {
  const { network } = fields;
  return typeof network === 'string' && isNamed(network) && caip2Of(network).startsWith('eip155:');
}

/**
 * True when no step of signing throws and the result is one a facilitator can parse.
 * Source: @x402/evm `createEIP3009Payload`, @x402/core schemas.
 */
function canSign({ fields, raw }: Entry, version: 1 | 2): boolean {
  const amount = version === 1 ? fields.maxAmountRequired : fields.amount;
  const network = typeof fields.network === 'string' ? caip2Of(fields.network) : '';
  const schema = version === 2 ? PaymentRequirementsV2Schema : SignableV1;
  return (
    schema.safeParse(raw).success &&
    EVM_NETWORK.test(network) &&
    isEvmAddress(fields.payTo) &&
    isEvmAddress(fields.asset) &&
    typeof amount === 'string' &&
    readAmount(amount) !== null &&
    // Seconds are added to the clock and turned into an integer of the contract.
    Number.isSafeInteger(fields.maxTimeoutSeconds) &&
    (signsWithoutDomain(fields.extra, version) || hasDomain(fields.extra))
  );
}

/** Permit2 signs under its own contract's domain, not the token's. */
function signsWithoutDomain(extra: Entry['fields']['extra'], version: 1 | 2): boolean {
  return version === 2 && extra?.assetTransferMethod === 'permit2';
}

/** True when `extra` names the EIP-712 domain an EIP-3009 authorization is signed under. */
export function hasDomain(extra: Entry['fields']['extra']): boolean {
  return isText(extra?.name) && isText(extra?.version);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
