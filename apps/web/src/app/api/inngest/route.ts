import { Inngest } from 'inngest';
import { serve } from 'inngest/next';
import { NextResponse, type NextRequest } from 'next/server';
import { createInngestApplication } from '@touchstone/pipeline';
import { readMaxConcurrentBatches } from '../../../platform/config/config.ts';
import { acceptInngestRequest, type InngestHandler } from '../../../jobs/accept-inngest.ts';
import { openJobContext } from '../../../jobs/job-context.ts';

const isProduction = process.env.NODE_ENV === 'production';
const client = new Inngest({
  id: 'touchstone',
  // In production, the SDK must require signed requests, even if the environment sets INNGEST_DEV.
  ...(isProduction ? { isDev: false } : {}),
});
const options = { maxConcurrentBatches: readMaxConcurrentBatches(process.env) };
const handlers = serve(createInngestApplication(client, openJobContext, options));

/**
 * Maximum duration of one request from Inngest on serverless platforms, in seconds. The duration equals the lease of a
 * probe batch.
 */
export const maxDuration = 300;

/** Returns the signing keys that the SDK accepts; null if the current key is not set. */
function readSigningKeys(): readonly string[] | null {
  const { INNGEST_SIGNING_KEY: key, INNGEST_SIGNING_KEY_FALLBACK: fallback } = process.env;
  if (!key) return null;
  return fallback ? [key, fallback] : [key];
}

/**
 * Adds checks to a handler of the SDK. In production without `INNGEST_SIGNING_KEY`, the response is 404, because another
 * scheduler then runs the jobs.
 */
function guard(handler: InngestHandler) {
  return async (request: NextRequest, context: unknown): Promise<Response> => {
    const keys = readSigningKeys();
    if (isProduction && keys === null) return new NextResponse(null, { status: 404 });
    const signingKeys = client.mode === 'cloud' ? keys : null;
    return acceptInngestRequest(request, { handler, signingKeys, context });
  };
}

export const GET = guard(handlers.GET);
export const POST = guard(handlers.POST);
export const PUT = guard(handlers.PUT);
