import type { Envelope } from '../challenge/envelope.ts';
import { findNetwork } from '../networks/networks.ts';
import { findCanonicalUsdc } from '../tokens/tokens.ts';
import { toClientOption, explainUnsignable, type ClientOption } from './client-option.ts';
import { isHashable, findUnsignableEvmMember } from './evm-signing.ts';
import { readMember } from '../json/read-member.ts';
import { isEncodableByV1, isV1Timeout } from './client-numbers.ts';
import { findUnsignableSolanaMember } from './solana-signing.ts';
import { findUnparsedMember, canV1ClientParse } from './v1-entry.ts';

/**
 * Returns the reason why the last version 1 client would not sign a payment for this body with a wallet for any of the
 * offered networks; null when it would with at least one.
 *
 * The client parses every entry before it selects one, so one unparsable entry prevents any payment. It reads neither
 * headers nor the version. Among the options on its wallet's network, it selects the first in canonical USDC, otherwise
 * the first. A wallet without a network selects among all options. Source: x402 1.2 `selectPaymentRequirements`,
 * `createPaymentHeader`; x402-fetch 1.2 `wrapFetchWithPayment`.
 */
export function findV1Refusal(envelope: Envelope): string | null {
  const { accepts, x402Version } = envelope.fields;
  if (!Array.isArray(accepts)) return 'The body is not a version 1 envelope: it has no accepts list.';
  if (accepts.length === 0) return 'accepts is empty.';
  const unparsed = accepts.findIndex((entry) => !canV1ClientParse(entry));
  if (unparsed !== -1) return explainUnparsed(accepts[unparsed], unparsed + 1);
  // The client copies the version into the payment unchanged.
  if (!isEncodableByV1(x402Version)) return 'x402Version contains characters that the client cannot encode.';
  const options = accepts.map(toClientOption).filter((option) => option !== null);
  const members = groupByWallet(options).flatMap((offered) => {
    const chosen = offered.find(isCanonicalUsdc) ?? offered[0];
    return chosen === undefined ? [] : [findUnsignableMember(chosen)];
  });
  const [first] = members.filter((member) => member !== null);
  return members.includes(null) || first === undefined ? null : explainUnsignable(first);
}

function explainUnparsed(entry: unknown, position: number): string {
  const name = findUnparsedMember(entry);
  return name === null
    ? `Entry ${String(position)} of accepts is not an object, and the client parses every entry.`
    : `The client cannot parse ${name} in entry ${String(position)} of accepts, and it parses every entry.`;
}

/** Returns the options that each kind of wallet selects from: all options, those on Solana, those on one network. */
function groupByWallet(options: readonly ClientOption[]): (readonly ClientOption[])[] {
  const byNetwork = Map.groupBy(options, ({ network }) => network);
  return [options, options.filter(isOnSolana), ...byNetwork.values()];
}

function isOnSolana({ caip2 }: ClientOption): boolean {
  return caip2.startsWith('solana:');
}

/** Compares letter by letter, as the client does. To the client, another case is another token. */
function isCanonicalUsdc({ caip2, asset }: ClientOption): boolean {
  const usdc = findCanonicalUsdc(caip2)?.asset;
  return (findNetwork(caip2)?.isUsdcLowerCaseInV1Client === true ? usdc?.toLowerCase() : usdc) === asset;
}

/** Returns the member that prevents signing an option; null when it can be signed. */
function findUnsignableMember(option: ClientOption): string | null {
  const { extra, maxAmountRequired: amount } = option;
  if (isOnSolana(option)) {
    return findUnsignableSolanaMember({ ...option, amount, feePayer: readMember(extra, 'feePayer') });
  }
  const member = findUnsignableEvmMember({ ...option, amount });
  if (member !== null) return member;
  if (!isEncodableByV1(amount)) return 'amount';
  if (!isV1Timeout(option.maxTimeoutSeconds)) return 'maxTimeoutSeconds';
  // Without a domain, the client still signs, but no token accepts it. The rule on the domain reports that.
  const isDomainHashable = isHashable(readMember(extra, 'name')) && isHashable(readMember(extra, 'version'));
  return isDomainHashable ? null : 'extra.name and extra.version';
}
