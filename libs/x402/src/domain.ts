import type { EntryFields } from './entry.ts';

/** True when `extra` names the EIP-712 domain an EIP-3009 authorization is signed under. */
export function hasDomain(extra: EntryFields['extra']): boolean {
  return isText(extra?.name) && isText(extra?.version);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
