import { Inngest } from 'inngest';
import { serve } from 'inngest/next';
import { NextResponse, type NextRequest } from 'next/server';
import { createInngestApplication } from '@touchstone/pipeline';
import { readMaxConcurrentBatches } from '../../../config/config.ts';
import { createJobContext } from '../../../jobs/job-context.ts';

// In production requests must be signed, whatever else the environment says.
const client = new Inngest(
  process.env.NODE_ENV === 'production' ? { id: 'touchstone', isDev: false } : { id: 'touchstone' },
);
const options = { maxConcurrentBatches: readMaxConcurrentBatches(process.env) };
const handlers = serve(createInngestApplication(client, createJobContext, options));

/** Seconds that a platform with a limit should give one step: a batch's lease is as long. */
export const maxDuration = 300;

type Handler = (request: NextRequest, context: unknown) => Promise<Response>;

/** Where Inngest calls the jobs. Without `INNGEST_SIGNING_KEY` the jobs are scheduled elsewhere and nothing is here. */
function guarded(handler: Handler): Handler {
  return (request, context) =>
    process.env['INNGEST_SIGNING_KEY'] || process.env.NODE_ENV !== 'production'
      ? handler(request, context)
      : Promise.resolve(new NextResponse(null, { status: 404 }));
}

export const GET = guarded(handlers.GET);
export const POST = guarded(handlers.POST);
export const PUT = guarded(handlers.PUT);
