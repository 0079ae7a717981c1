import type { EntryFields } from '../challenge/accepts-entry.ts';

/** Returns true when `extra` contains the EIP-712 domain (name and version) for signing an EIP-3009 authorization. */
export function hasEip712Domain(extra: EntryFields['extra']): boolean {
  return isNonEmptyText(extra?.name) && isNonEmptyText(extra?.version);
}

function isNonEmptyText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
