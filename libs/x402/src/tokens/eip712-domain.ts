import type { EntryFields } from '../challenge/accepts-entry.ts';
import { quote } from '../json/clean-text.ts';
import type { Token } from './token-table.ts';

/** Returns true when `extra` contains the EIP-712 domain (name and version) for signing an EIP-3009 authorization. */
export function hasEip712Domain(extra: EntryFields['extra']): boolean {
  return isNonEmptyText(extra?.name) && isNonEmptyText(extra?.version);
}

function isNonEmptyText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/**
 * Describes the difference between the EIP-712 domain in `extra` and the domain of a token contract, without a full
 * stop. Returns null when both are equal. The contract rejects every authorization that is signed with another domain.
 */
export function describeWrongDomain(
  extra: EntryFields['extra'],
  domain: NonNullable<Token['domain']>,
): string | null {
  if (extra?.name === domain.name && extra.version === domain.version) return null;
  return `extra names the token ${quote(extra?.name)} version ${quote(extra?.version)}, but the contract signs as ${domain.name} version ${domain.version}`;
}
