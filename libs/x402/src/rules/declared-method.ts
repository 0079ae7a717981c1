import { declaredMethod } from '../discovery.ts';
import type { Subject } from './rule.ts';

/** The method the seller declares in the challenge, else in the directory; null when nowhere. */
export function declaredMethodOf({ v2, v1, listing }: Pick<Subject, 'v2' | 'v1' | 'listing'>): string | null {
  return declaredMethod(v2?.bazaar ?? null, v1?.entries ?? []) ?? listing?.method ?? null;
}
