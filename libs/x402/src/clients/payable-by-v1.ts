import type { Envelope } from '../envelope.ts';
import { canonicalUsdc } from '../tokens.ts';
import { toCandidate, unsignedReason, type Candidate } from './candidate.ts';
import { isHashable, unsignableMember } from './evm.ts';
import { member as memberOf } from '../member.ts';
import { isEncodableByV1, isV1Timeout } from './numbers.ts';
import { unsignableTokenMember } from './solana.ts';
import { faultyMember, parsesInV1Client } from './v1-entry.ts';

/** Where the client's table writes the address of USDC without capitals. */
const LOWER_CASE = new Set(['eip155:137', 'eip155:1328', 'eip155:1329', 'eip155:2741']);

/**
 * Why the last version 1 client would sign no payment for this body, whichever chain of those offered its wallet is
 * for; null when it would with one.
 *
 * It parses every entry before it chooses, so one it cannot parse keeps it from paying at all; it looks at no
 * header and at no version. Of the options on its wallet's network it takes the first in canonical USDC, else
 * the first; a wallet that names no network chooses among all. Source: x402 1.2 `selectPaymentRequirements`,
 * `createPaymentHeader`; x402-fetch 1.2 `wrapFetchWithPayment`.
 */
export function refusalOfV1Client(envelope: Envelope): string | null {
  const { accepts, x402Version } = envelope.fields;
  if (!Array.isArray(accepts)) return 'The body holds no version 1 envelope: it lists no ways to pay.';
  if (accepts.length === 0) return 'accepts is empty.';
  const unparsed = accepts.findIndex((entry) => !parsesInV1Client(entry));
  if (unparsed !== -1) return unparsedReason(accepts[unparsed], unparsed + 1);
  // The version goes into the payment as it came.
  if (!isEncodableByV1(x402Version)) return 'x402Version holds characters the client cannot encode.';
  const options = accepts.map(toCandidate).filter((option) => option !== null);
  const members = choicesOf(options).flatMap((offered) => {
    const chosen = offered.find(isCanonicalUsdc) ?? offered[0];
    return chosen === undefined ? [] : [unsignable(chosen)];
  });
  const [first] = members.filter((member) => member !== null);
  return members.includes(null) || first === undefined ? null : unsignedReason(first);
}

function unparsedReason(entry: unknown, place: number): string {
  const name = faultyMember(entry);
  return name === null
    ? `Entry ${String(place)} of accepts is no object, and the client parses every entry.`
    : `The client cannot parse ${name} of entry ${String(place)} of accepts, and it parses every entry.`;
}

/** What each kind of wallet chooses among: all, those on Solana, those on one network. */
function choicesOf(options: readonly Candidate[]): (readonly Candidate[])[] {
  const byNetwork = Map.groupBy(options, ({ network }) => network);
  return [options, options.filter(isOnSolana), ...byNetwork.values()];
}

function isOnSolana({ caip2 }: Candidate): boolean {
  return caip2.startsWith('solana:');
}

/** Compared to the letter, as the client does: another case of the address is another token to it. */
function isCanonicalUsdc({ caip2, asset }: Candidate): boolean {
  const usdc = canonicalUsdc(caip2)?.asset;
  return (LOWER_CASE.has(caip2) ? usdc?.toLowerCase() : usdc) === asset;
}

/** The member for which an option cannot be signed; null when it can be. */
function unsignable(option: Candidate): string | null {
  const { extra, maxAmountRequired: amount } = option;
  if (isOnSolana(option)) {
    return unsignableTokenMember({ ...option, amount, feePayer: memberOf(extra, 'feePayer') });
  }
  const member = unsignableMember({ ...option, amount });
  if (member !== null) return member;
  if (!isEncodableByV1(amount)) return 'amount';
  if (!isV1Timeout(option.maxTimeoutSeconds)) return 'maxTimeoutSeconds';
  // It signs without a domain where none is given, which no token accepts; the rule on the domain says so.
  const hashable = isHashable(memberOf(extra, 'name')) && isHashable(memberOf(extra, 'version'));
  return hashable ? null : 'extra.name and extra.version';
}
