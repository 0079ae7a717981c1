import { toCaip2, isV1Name } from '../networks/networks.ts';
import { readMember, listToText } from '../json/read-member.ts';

/** One entry of `accepts` as the clients see it: raw values, read once and not judged. */
export interface ClientOption {
  readonly scheme: unknown;
  /** The text the client matches and looks up; empty for what is no text and cannot be taken for one. */
  readonly network: string;
  /** The CAIP-2 id of that network; empty for a name the clients do not know. */
  readonly caip2: string;
  /** True where the network is text, not a list that is taken for it. */
  readonly isNetworkText: boolean;
  readonly asset: unknown;
  readonly payTo: unknown;
  readonly amount: unknown;
  readonly maxAmountRequired: unknown;
  readonly maxTimeoutSeconds: unknown;
  readonly extra: unknown;
}

/**
 * @param entry any JSON value
 * @returns null when the client, looking for its network, would fall over it
 */
export function toClientOption(entry: unknown): ClientOption | null {
  if (entry === null) return null;
  const given = readMember(entry, 'network');
  const network = toNetworkText(given);
  if (network === null) return null;
  return {
    scheme: readMember(entry, 'scheme'),
    network,
    caip2: isV1Name(network) || network.includes(':') ? toCaip2(network) : '',
    isNetworkText: typeof given === 'string',
    asset: readMember(entry, 'asset'),
    payTo: readMember(entry, 'payTo'),
    amount: readMember(entry, 'amount'),
    maxAmountRequired: readMember(entry, 'maxAmountRequired'),
    maxTimeoutSeconds: readMember(entry, 'maxTimeoutSeconds'),
    extra: readMember(entry, 'extra'),
  };
}

/** Matched against a pattern, a list stands for its text; an object does too, and is never a network. */
function toNetworkText(network: unknown): string | null {
  if (typeof network === 'string') return network;
  if (typeof network !== 'object' || network === null) return '';
  const text = listToText([network]);
  return text === null || Array.isArray(network) ? text : '';
}

/** Why a client pays nothing when it has chosen an option it cannot sign for one of its members. */
export function explainUnsignable(member: string): string {
  return `The option the client takes cannot be signed for its ${member}, and it does not try another.`;
}
