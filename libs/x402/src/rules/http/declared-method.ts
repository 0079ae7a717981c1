import { findDeclaredMethod } from '../../challenge/discovery.ts';
import type { RuleInput } from '../rule.ts';

/** The method the seller declares in the challenge, else in the directory; null when nowhere. */
export function getDeclaredMethod({
  v2,
  v1,
  listing,
}: Pick<RuleInput, 'v2' | 'v1' | 'listing'>): string | null {
  return findDeclaredMethod(v2?.bazaar ?? null, v1?.entries ?? []) ?? listing?.method ?? null;
}
