import { ConsoleLogger, Inngest, type LogArg } from 'inngest';
import { serve } from 'inngest/next';
import { NextResponse, type NextRequest } from 'next/server';
import { createInngestApplication } from '@touchstone/pipeline';
import { readMaxConcurrentBatches } from '../../../config/config.ts';
import { acceptInngestRequest, type InngestHandler } from '../../../jobs/accept-inngest.ts';
import { openJobContext } from '../../../jobs/job-context.ts';

/**
 * Logger of the SDK's own messages. It omits wrong signatures: anyone can send them, and the response already names the
 * error.
 */
class SdkLogger extends ConsoleLogger {
  override error(...args: LogArg[]): void {
    if (!args.includes('Signature validation failed')) super.error(...args);
  }
}

const isProduction = process.env.NODE_ENV === 'production';
const client = new Inngest({
  id: 'touchstone',
  internalLogger: new SdkLogger(),
  // In production, this requires signed requests, even if the environment sets INNGEST_DEV.
  ...(isProduction ? { isDev: false } : {}),
});
const options = { maxConcurrentBatches: readMaxConcurrentBatches(process.env) };
const handlers = serve(createInngestApplication(client, openJobContext, options));

/**
 * Maximum duration of one request from Inngest on serverless platforms, in seconds. It equals the lease of a probe
 * batch.
 */
export const maxDuration = 300;

/**
 * Adds checks to a handler of the SDK. In production without `INNGEST_SIGNING_KEY`, the response is 404, because another
 * scheduler then runs the jobs.
 */
function guard(handler: InngestHandler) {
  return async (request: NextRequest, context: unknown): Promise<Response> => {
    const hasKey = Boolean(process.env['INNGEST_SIGNING_KEY']);
    if (isProduction && !hasKey) return new NextResponse(null, { status: 404 });
    return acceptInngestRequest(request, { handler, isSigned: hasKey && client.mode === 'cloud', context });
  };
}

export const GET = guard(handlers.GET);
export const POST = guard(handlers.POST);
export const PUT = guard(handlers.PUT);
