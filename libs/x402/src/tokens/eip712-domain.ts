import type { EntryFields } from '../challenge/accepts-entry.ts';

/** True when `extra` names the EIP-712 domain an EIP-3009 authorization is signed under. */
export function hasEip712Domain(extra: EntryFields['extra']): boolean {
  return isText(extra?.name) && isText(extra?.version);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
