import {
  createChainSources,
  createJobContexts,
  deliveryBudgetSchema,
  deliveryKeySchema,
  deliverySkipSchema,
  rpcSettingsSchema,
  toPurchaseSettings,
  type PipelineContext,
} from '@touchstone/pipeline';
import { z } from 'zod';
import { getConfig, getSiteOrigin } from '../platform/config/config.ts';
import { directoryUrlsSchema, toOptional } from '../platform/config/optional-config.ts';
import { getWatchCipher } from '../platform/config/configured-keys.ts';
import { createJobEmbedder } from '../operations/embedder.ts';
import { expireTags } from '../serving/page-cache/expire-tags.ts';

/** Environment variables that only the jobs need. */
const environment = z.object({
  DIRECTORY_URLS: directoryUrlsSchema,
  RPC_URLS: rpcSettingsSchema.prefault(''),
  DELIVERY_KEY: toOptional(deliveryKeySchema),
  DELIVERY_BUDGET: toOptional(deliveryBudgetSchema),
  DELIVERY_SKIP: toOptional(deliverySkipSchema),
  X402_PAY_TO: z.string().optional(),
});

let createContext: (() => Promise<PipelineContext>) | undefined;

/**
 * Creates the context of one step of a job that Inngest runs in this process. The jobs probe with the same settings as
 * the paid reports.
 *
 * @throws Error that names a missing or invalid environment variable, or if the configured sandbox does not run.
 */
export async function openJobContext(): Promise<PipelineContext> {
  createContext ??= configureContexts();
  return createContext();
}

function configureContexts(): () => Promise<PipelineContext> {
  const parsed = environment.safeParse(process.env);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.') ?? 'environment'}: ${issue?.message ?? 'invalid'}`);
  }
  const { supabaseUrl, supabaseSecretKey, probe } = getConfig();
  return createJobContexts({
    ...probe,
    supabaseUrl,
    secretKey: supabaseSecretKey,
    directories: parsed.data.DIRECTORY_URLS,
    chains: createChainSources(parsed.data.RPC_URLS),
    purchases: toPurchaseSettings({
      account: parsed.data.DELIVERY_KEY,
      budget: parsed.data.DELIVERY_BUDGET,
      skip: parsed.data.DELIVERY_SKIP,
      payTo: parsed.data.X402_PAY_TO,
    }),
    baseUrl: getSiteOrigin(process.env),
    onChanged: expireTags,
    embedder: createJobEmbedder(),
    cipher: getWatchCipher(),
  });
}
