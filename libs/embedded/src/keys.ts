import { randomBytes } from 'node:crypto';
import type { EmbeddedKeys } from './start.ts';

/** Creates random API keys in the key format of Supabase. */
export function createKeys(): EmbeddedKeys {
  return {
    publishable: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secret: `sb_secret_${randomBytes(24).toString('base64url')}`,
  };
}
