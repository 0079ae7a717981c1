import { Inngest } from 'inngest';
import { serve } from 'inngest/next';
import { NextResponse, type NextRequest } from 'next/server';
import { createInngestApplication } from '@touchstone/pipeline';
import { readMaxConcurrentBatches } from '../../../config/config.ts';
import { createJobContext } from '../../../jobs/job-context.ts';

// In production, `isDev: false` requires signed requests, even if the environment sets INNGEST_DEV.
const client = new Inngest(
  process.env.NODE_ENV === 'production' ? { id: 'touchstone', isDev: false } : { id: 'touchstone' },
);
const options = { maxConcurrentBatches: readMaxConcurrentBatches(process.env) };
const handlers = serve(createInngestApplication(client, createJobContext, options));

/**
 * Maximum duration of one request from Inngest on serverless platforms, in seconds. It equals the lease of a probe
 * batch.
 */
export const maxDuration = 300;

type Handler = (request: NextRequest, context: unknown) => Promise<Response>;

/**
 * Adds a check to a handler: in production without `INNGEST_SIGNING_KEY`, the response is 404, because another
 * scheduler then runs the jobs.
 */
function requireSigningKey(handler: Handler): Handler {
  return (request, context) =>
    process.env['INNGEST_SIGNING_KEY'] || process.env.NODE_ENV !== 'production'
      ? handler(request, context)
      : Promise.resolve(new NextResponse(null, { status: 404 }));
}

export const GET = requireSigningKey(handlers.GET);
export const POST = requireSigningKey(handlers.POST);
export const PUT = requireSigningKey(handlers.PUT);
