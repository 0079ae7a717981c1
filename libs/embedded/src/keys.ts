import { randomBytes } from 'node:crypto';
import type { EmbeddedKeys } from './start.ts';

/** New random API keys in Supabase's form. */
export function createKeys(): EmbeddedKeys {
  return {
    publishable: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secret: `sb_secret_${randomBytes(24).toString('base64url')}`,
  };
}
