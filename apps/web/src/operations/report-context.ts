import { createReportContext, type ReportContext } from '@touchstone/pipeline';
import { expireTags } from '../page-cache/expire-tags.ts';
import { getConfig, getSiteOrigin } from '../config/config.ts';
import { fetchWithTimeout } from '../database/fetch-with-timeout.ts';

let context: Promise<ReportContext> | undefined;

/**
 * What reports are made with, opened at the first one and held: those who ask about the same endpoint at the same time
 * share a probe.
 *
 * @throws when it cannot be opened, as where the sandbox does not run; the next report tries again
 */
export function getReportContext(): Promise<ReportContext> {
  context ??= openContext().catch((error: unknown) => {
    context = undefined;
    throw error;
  });
  return context;
}

function openContext(): Promise<ReportContext> {
  const { supabaseUrl, supabaseSecretKey, vantage, probe } = getConfig();
  return createReportContext({
    ...probe,
    supabaseUrl,
    secretKey: supabaseSecretKey,
    fetch: fetchWithTimeout,
    baseUrl: getSiteOrigin(process.env),
    vantage,
    onChanged: expireTags,
  });
}
