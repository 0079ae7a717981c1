import {
  createChainSources,
  createPublicContext,
  rpcSettingsSchema,
  type ChainSource,
  type PipelineContext,
} from '@touchstone/pipeline';
import { z } from 'zod';
import { getSiteOrigin } from '../config/config.ts';
import { directoryUrlsSchema } from '../config/inngest-config.ts';
import { getWatchCipher } from '../config/watch-cipher.ts';
import { createJobEmbedder } from '../operations/embedder.ts';
import { expireTags } from '../page-cache/expire-tags.ts';

const environment = z.object({
  SUPABASE_URL: z.url(),
  SUPABASE_SECRET_KEY: z.string({ error: 'must be set if Inngest runs the jobs' }).min(1),
  DIRECTORY_URLS: directoryUrlsSchema,
  RPC_URLS: rpcSettingsSchema.prefault(''),
  CANARY_URLS: z
    .string()
    .default('')
    .transform((text) => text.split(/\s+/).filter((url) => url !== ''))
    .pipe(z.array(z.url({ protocol: /^https?$/ }))),
});

let chains: readonly ChainSource[] | undefined;

/**
 * Creates the context of one job that Inngest runs in this process.
 *
 * @throws Error that names a missing or invalid environment variable.
 */
export function createJobContext(): PipelineContext {
  const parsed = environment.safeParse(process.env);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.') ?? 'environment'}: ${issue?.message ?? 'invalid'}`);
  }
  chains ??= createChainSources(parsed.data.RPC_URLS);
  return createPublicContext({
    chains,
    supabaseUrl: parsed.data.SUPABASE_URL,
    secretKey: parsed.data.SUPABASE_SECRET_KEY,
    directories: parsed.data.DIRECTORY_URLS,
    canaryUrls: parsed.data.CANARY_URLS,
    baseUrl: getSiteOrigin(process.env),
    owner: `inngest-${crypto.randomUUID()}`,
    onChanged: expireTags,
    embedder: createJobEmbedder(),
    cipher: getWatchCipher(),
  });
}
