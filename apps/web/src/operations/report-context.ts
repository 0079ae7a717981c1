import { createReportContext } from '@touchstone/pipeline/reports/report-context';
import type { ReportContext } from '@touchstone/pipeline/reports/report-context';
import { expireTags } from '../serving/page-cache/expire-tags.ts';
import { getConfig, getSiteOrigin } from '../platform/config/config.ts';
import { fetchWithTimeout } from '../platform/database/databases.ts';

let context: Promise<ReportContext> | undefined;

/**
 * Returns the context in which reports are created. The first report creates the context and later reports reuse it, so
 * simultaneous reports on one endpoint share a probe.
 *
 * @throws Error if the context cannot be created, for example because the sandbox is not running. The next report tries
 * again.
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
