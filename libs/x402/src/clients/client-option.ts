import { toCaip2, isV1Name } from '../networks/networks.ts';
import { readMember, listToText } from '../json/read-member.ts';

/** One entry of `accepts` as the reference clients read it: raw values, not validated. */
export interface ClientOption {
  readonly scheme: unknown;
  /** Network as the text the client matches and looks up; empty for a value the client does not convert to text. */
  readonly network: string;
  /** CAIP-2 id of the network; empty for a name the clients do not know. */
  readonly caip2: string;
  /** True when the network is text; false when it is a list that the client converts to text. */
  readonly isNetworkText: boolean;
  readonly asset: unknown;
  readonly payTo: unknown;
  readonly amount: unknown;
  readonly maxAmountRequired: unknown;
  readonly maxTimeoutSeconds: unknown;
  readonly extra: unknown;
}

/**
 * Reads an `accepts` entry as the reference clients do.
 *
 * @param entry any JSON value
 * @returns null when the client would throw while it looks for the network
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

/** Converts a network to text. JavaScript also converts lists and objects, but the text of an object is no network. */
function toNetworkText(network: unknown): string | null {
  if (typeof network === 'string') return network;
  if (typeof network !== 'object' || network === null) return '';
  const text = listToText([network]);
  return text === null || Array.isArray(network) ? text : '';
}

/** Returns the reason why a client does not pay an option that it selected and cannot sign. */
export function explainUnsignable(member: string): string {
  return `The client cannot sign the option it selects because of ${member}, and it does not try another option.`;
}
