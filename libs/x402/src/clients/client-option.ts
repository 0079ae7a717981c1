import { toCaip2, isV1Name } from '../networks/networks.ts';
import { readMember, listToText } from '../json/read-member.ts';

/** One entry of `accepts` as the reference clients read it. The values are not validated. */
export interface ClientOption {
  readonly scheme: unknown;
  /** Network, converted to text as in the clients; empty for a value that is neither text nor a list. */
  readonly network: string;
  /** CAIP-2 id of the network; empty for a network name that the clients do not support. */
  readonly caip2: string;
  /** False when the network is a list, which the clients convert to text, or another value that is not text. */
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
 * @returns null for an entry whose network cannot be read, which makes the clients throw
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

/**
 * Converts a network to text as the clients do. Returns null when the conversion throws, and empty text for a value
 * that is neither text nor a list.
 */
function toNetworkText(network: unknown): string | null {
  if (typeof network === 'string') return network;
  if (typeof network !== 'object' || network === null) return '';
  const text = listToText([network]);
  return text === null || Array.isArray(network) ? text : '';
}

/** Option that a client selects and cannot sign. */
interface UnsignableOption {
  /** Name of the member that prevents signing. */
  readonly member: string;
  readonly version: 1 | 2;
  /** Number of options in `accepts`. */
  readonly optionCount: number;
}

/** Formats the reason why a client does not pay: it selects an option that it cannot sign, and tries no other. */
export function explainUnsignable({ member, version, optionCount }: UnsignableOption): string {
  const subject = optionCount === 1 ? 'The payment option' : 'The option that clients select';
  const name = member === 'amount' && version === 1 ? 'maxAmountRequired' : member;
  // A memo is optional, so a message about an unusable memo must not suggest that it is missing.
  const defect = name === 'extra.memo' ? 'an invalid extra.memo' : `no usable ${name}`;
  return `${subject} has ${defect}, so clients cannot sign a payment.`;
}
