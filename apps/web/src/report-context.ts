import { createReportContext, type ReportContext } from '@touchstone/pipeline';
import { expireTags } from './expire-tags.ts';
import { config, siteOrigin } from './config.ts';
import { fetchInTime } from './fetch-in-time.ts';

let context: Promise<ReportContext> | undefined;

/**
 * What reports are made with, opened at the first one and held: those who ask about the same endpoint at the same time
 * share a probe.
 *
 * @throws when it cannot be opened, as where the sandbox does not run; the next report tries again
 */
export function reportContext(): Promise<ReportContext> {
  context ??= open().catch((error: unknown) => {
    context = undefined;
    throw error;
  });
  return context;
}

function open(): Promise<ReportContext> {
  const { supabaseUrl, supabaseSecretKey, vantage, probe } = config();
  return createReportContext({
    ...probe,
    supabaseUrl,
    secretKey: supabaseSecretKey,
    fetch: fetchInTime,
    baseUrl: siteOrigin(process.env),
    vantage,
    onChanged: expireTags,
  });
}
