import { z } from 'zod';
import { isInV1Client, findNetwork, findCanonicalUsdc } from '../networks/networks.ts';
import type { Envelope } from '../challenge/envelope.ts';
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
import {
  isHashable,
  findUnsignableEvmMember,
  computeV1Validity,
  isEncodableByV1,
  findUnsignableSolanaMember,
  toClientInteger,
  UINT256,
} from './signing.ts';
import { listV1Settings } from './default-settings.ts';
import { isStrictEvmAddress } from './scheme-members.ts';
import { quote, readMember } from '../json/untrusted-json.ts';
import { isEvmAddress } from '../networks/address.ts';

const EVM_OR_SOLANA = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;
/**
 * Patterns for the beginning and the end of an asset. The client accepts any text that begins with an EVM address or
 * ends in letters and digits, so the middle of a long text is not read.
 */
const ASSET_START = /^0x[a-fA-F0-9]{40}/;
const ASSET_END = /[A-Za-z0-9][A-Za-z0-9-]{0,34}[A-Za-z0-9]$/;
const ASSET_END_LENGTH = 36;

function isAsset(text: string): boolean {
  return ASSET_START.test(text.slice(0, 42)) || ASSET_END.test(text.slice(-ASSET_END_LENGTH));
}

const Members = z.record(z.string(), z.unknown());

/**
 * Entry format that the last version 1 client requires. The format is stricter than the specification, which allows a
 * null `outputSchema` and makes the MIME type optional. The client pays only for a list whose entries have this format.
 * Source: x402 1.2, `PaymentRequirementsSchema`.
 */
const V1Entry = z.object({
  scheme: z.literal('exact'),
  network: z.string().refine(isInV1Client),
  maxAmountRequired: z.string().refine((text) => Number.isInteger(Number(text)) && Number(text) >= 0),
  resource: z.string().refine((text) => URL.canParse(text)),
  description: z.string(),
  mimeType: z.string(),
  outputSchema: Members.optional(),
  payTo: z.string().regex(EVM_OR_SOLANA),
  maxTimeoutSeconds: z.number().refine((seconds) => Number.isInteger(seconds)),
  asset: z.string().refine(isAsset),
  extra: Members.optional(),
});

/** Returns true when the version 1 client can parse an `accepts` entry. One unparsable entry prevents any payment. */
export function canV1ClientParse(entry: unknown): boolean {
  return V1Entry.safeParse(entry).success;
}

/** Values that the version 1 client requires, by member of an entry. */
const EXPECTED_VALUES: Readonly<Record<keyof z.infer<typeof V1Entry>, string>> = {
  scheme: '"exact"',
  network: 'a version 1 network name such as "base"',
  maxAmountRequired: 'a string with a whole number',
  resource: 'an absolute URL',
  description: 'a string',
  mimeType: 'a string',
  outputSchema: 'an object, or be absent',
  payTo: 'an EVM or Solana address',
  maxTimeoutSeconds: 'a whole number',
  asset: 'a token address',
  extra: 'an object, or be absent',
};

/** Returns the names of the members that prevent the version 1 client from parsing an entry; none for a non-object. */
export function listUnparsedMembers(entry: unknown): readonly string[] {
  const paths = V1Entry.safeParse(entry).error?.issues.flatMap(({ path: [name] }) => name ?? []) ?? [];
  return [...new Set(paths.map(String))];
}

/**
 * Describes why the version 1 client cannot parse an entry, without a full stop: the position of the entry, and for each
 * given member the received and the expected value. An entry without such members is not an object.
 *
 * @param members names from `listUnparsedMembers`
 */
export function describeUnparsed(entry: unknown, position: number, members: readonly string[]): string {
  const name = `accepts[${String(position)}]`;
  if (members.length === 0) return `${name} is ${quote(entry)}; it must be an object`;
  const expectedValues = new Map<string, string>(Object.entries(EXPECTED_VALUES));
  return members
    .map((member) => {
      const expected = expectedValues.get(member) ?? 'valid';
      return `${name}.${member} is ${quote(readMember(entry, member))}; it must be ${expected}`;
    })
    .join('. ');
}

/**
 * Predicts if the last version 1 client would sign a payment for this body, with a wallet for at least one of the
 * offered networks, and if this payment would settle.
 *
 * The client parses every entry before it selects one, so one unparsable entry prevents any payment. The client ignores
 * headers and the protocol version. Among the options on the wallet's network, the client selects the first option in
 * canonical USDC, or else the first option. For a wallet without a network, the client selects among all options.
 * Source: x402 1.2 `selectPaymentRequirements`, `createPaymentHeader`; x402-fetch 1.2 `wrapFetchWithPayment`.
 */
export function predictV1Payment(envelope: Envelope): PaymentPrediction {
  const { accepts, x402Version } = envelope.fields;
  if (!Array.isArray(accepts))
    return predictRefusal('The body is not a version 1 envelope: it has no accepts list.');
  if (accepts.length === 0) return predictRefusal(EMPTY_ACCEPTS);
  const unparsed = accepts.findIndex((entry) => !canV1ClientParse(entry));
  if (unparsed !== -1) {
    const entry: unknown = accepts[unparsed];
    const fault = describeUnparsed(entry, unparsed, listUnparsedMembers(entry));
    return predictRefusal(`${fault}. Version 1 clients reject the whole list.`);
  }
  // The client copies `x402Version` into the payment unchanged, so the value must be encodable.
  if (!isEncodableByV1(x402Version))
    return predictRefusal('x402Version contains characters that version 1 clients cannot encode.');
  const options = accepts.map(toClientOption).filter((option) => option !== null);
  return predictSelected(groupByWallet(options), options.length);
}

/** Predicts the payments for the options that the client selects, one for each kind of wallet. */
function predictSelected(
  groups: readonly (readonly ClientOption[])[],
  optionCount: number,
): PaymentPrediction {
  const selected = groups.flatMap((offered) => offered.find(isCanonicalUsdc) ?? offered[0] ?? []);
  const members = selected.map(findUnsignableMember);
  const signed = selected.filter((_, index) => members[index] === null);
  const [member = ''] = members.filter((name) => name !== null);
  return combineWallets(signed.map(toSignature), explainUnsignable({ member, version: 1, optionCount }));
}

function toSignature(option: ClientOption): Signature {
  const amount = toClientInteger(option.maxAmountRequired, UINT256) ?? 0n;
  return { option, settings: listV1Settings(amount), settlementFailure: findFailure(option) };
}

function findFailure(option: ClientOption): string | null {
  const common = { option, amount: option.maxAmountRequired };
  if (isOnSolana(option)) return findSettlementFailure({ ...common, method: 'solana', validity: null });
  const validity = computeV1Validity(option.maxTimeoutSeconds);
  return (
    findSettlementFailure({ ...common, method: 'eip3009', validity }) ?? findChecksumFailure(option.payTo)
  );
}

/**
 * Returns the reason why facilitators reject the payee of a signed payment. The client copies `payTo` unchanged, and
 * facilitators cannot hash an address with a wrong checksum. Source: viem `hashTypedData`.
 */
export function findChecksumFailure(payTo: unknown): string | null {
  if (!isEvmAddress(payTo) || isStrictEvmAddress(payTo)) return null;
  return `payTo is ${quote(payTo)}; its letters do not match the ERC-55 checksum, so facilitators reject the payment of version 1 clients.`;
}

/**
 * Returns the options available to each kind of wallet: all options, the options on Solana, the options on each
 * network.
 */
function groupByWallet(options: readonly ClientOption[]): (readonly ClientOption[])[] {
  const byNetwork = Map.groupBy(options, ({ network }) => network);
  return [options, options.filter(isOnSolana), ...byNetwork.values()];
}

function isOnSolana({ caip2 }: ClientOption): boolean {
  return caip2.startsWith('solana:');
}

/** Returns true for an option in canonical USDC. Compares case-sensitively, because the client does. */
function isCanonicalUsdc({ caip2, asset }: ClientOption): boolean {
  const usdc = findCanonicalUsdc(caip2)?.asset;
  return (findNetwork(caip2)?.isUsdcLowerCaseInV1Client === true ? usdc?.toLowerCase() : usdc) === asset;
}

/** Returns the first member that prevents the client from signing an option; null when the client can sign. */
function findUnsignableMember(option: ClientOption): string | null {
  const { extra, maxAmountRequired: amount } = option;
  if (isOnSolana(option)) {
    return findUnsignableSolanaMember({ ...option, amount, feePayer: readMember(extra, 'feePayer') });
  }
  const member = findUnsignableEvmMember({ ...option, amount });
  if (member !== null) return member;
  if (!isEncodableByV1(amount)) return 'amount';
  if (computeV1Validity(option.maxTimeoutSeconds) === null) return 'maxTimeoutSeconds';
  // Without an EIP-712 domain, the client signs a payment that no token accepts. `findSettlementFailure` reports it.
  const isDomainHashable = isHashable(readMember(extra, 'name')) && isHashable(readMember(extra, 'version'));
  return isDomainHashable ? null : 'extra.name or extra.version';
}
