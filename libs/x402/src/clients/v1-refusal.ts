import type { Envelope } from '../challenge/envelope.ts';
import { findNetwork } from '../networks/networks.ts';
import { findCanonicalUsdc } from '../tokens/tokens.ts';
import { toClientOption, explainUnsignable, type ClientOption } from './client-option.ts';
import { isHashable, findUnsignableEvmMember } from './evm-signing.ts';
import { readMember as memberOf } from '../json/read-member.ts';
import { isEncodableByV1, isV1Timeout } from './client-numbers.ts';
import { findUnsignableSolanaMember } from './solana-signing.ts';
import { findUnparsedMember, canV1ClientParse } from './v1-entry.ts';

/**
 * Why the last version 1 client would sign no payment for this body, whichever chain of those offered its wallet is
 * for; null when it would with one.
 *
 * It parses every entry before it chooses, so one it cannot parse keeps it from paying at all; it looks at no
 * header and at no version. Of the options on its wallet's network it takes the first in canonical USDC, else
 * the first; a wallet that names no network chooses among all. Source: x402 1.2 `selectPaymentRequirements`,
 * `createPaymentHeader`; x402-fetch 1.2 `wrapFetchWithPayment`.
 */
export function findV1Refusal(envelope: Envelope): string | null {
  const { accepts, x402Version } = envelope.fields;
  if (!Array.isArray(accepts)) return 'The body holds no version 1 envelope: it lists no ways to pay.';
  if (accepts.length === 0) return 'accepts is empty.';
  const unparsed = accepts.findIndex((entry) => !canV1ClientParse(entry));
  if (unparsed !== -1) return explainUnparsed(accepts[unparsed], unparsed + 1);
  // The version goes into the payment as it came.
  if (!isEncodableByV1(x402Version)) return 'x402Version holds characters the client cannot encode.';
  const options = accepts.map(toClientOption).filter((option) => option !== null);
  const members = groupByWallet(options).flatMap((offered) => {
    const chosen = offered.find(isCanonicalUsdc) ?? offered[0];
    return chosen === undefined ? [] : [findUnsignableMember(chosen)];
  });
  const [first] = members.filter((member) => member !== null);
  return members.includes(null) || first === undefined ? null : explainUnsignable(first);
}

function explainUnparsed(entry: unknown, place: number): string {
  const name = findUnparsedMember(entry);
  return name === null
    ? `Entry ${String(place)} of accepts is no object, and the client parses every entry.`
    : `The client cannot parse ${name} of entry ${String(place)} of accepts, and it parses every entry.`;
}

/** What each kind of wallet chooses among: all, those on Solana, those on one network. */
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

/** The member for which an option cannot be signed; null when it can be. */
function findUnsignableMember(option: ClientOption): string | null {
  const { extra, maxAmountRequired: amount } = option;
  if (isOnSolana(option)) {
    return findUnsignableSolanaMember({ ...option, amount, feePayer: memberOf(extra, 'feePayer') });
  }
  const member = findUnsignableEvmMember({ ...option, amount });
  if (member !== null) return member;
  if (!isEncodableByV1(amount)) return 'amount';
  if (!isV1Timeout(option.maxTimeoutSeconds)) return 'maxTimeoutSeconds';
  // It signs without a domain where none is given, which no token accepts; the rule on the domain says so.
  const hashable = isHashable(memberOf(extra, 'name')) && isHashable(memberOf(extra, 'version'));
  return hashable ? null : 'extra.name and extra.version';
}
