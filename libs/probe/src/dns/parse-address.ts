import { isIPv4, isIPv6 } from 'node:net';

/** An IP address as one number: 32 bits for version 4, 128 bits for version 6. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

function join(parts: readonly number[], bitsEach: bigint): bigint {
  return parts.reduce((value, part) => (value << bitsEach) | BigInt(part), 0n);
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}

/**
 * Reads an IP address strictly: four decimal numbers, or RFC 4291 text for version 6 (a dotted tail is
 * allowed, a zone is not).
 *
 * @param text - The bare address, without brackets.
 * @returns The address as a number, or null for anything else, such as octal, hex or short forms.
 */
export function parseAddress(text: string): IpAddress | null {
  if (isIPv4(text)) return { family: 4, value: join(text.split('.').map(Number), 8n) };
  if (!isIPv6(text) || text.includes('%')) return null;
  const [head = '', tail] = text.split('::');
  const left = groups(head);
  const right = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  return { family: 6, value: join([...left, ...zeros, ...right], 16n) };
}
