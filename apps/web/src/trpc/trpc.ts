import { initTRPC, type TRPCError } from '@trpc/server';
import type { PublicStore } from '@touchstone/store';
import { ZodError } from 'zod';

/** Data that procedures can read. */
export interface TrpcContext {
  readonly store: Pick<PublicStore, 'searchByWords'>;
}

const t = initTRPC.context<TrpcContext>().create({
  // Without this option, errors contain a stack trace unless NODE_ENV is `production`.
  isDev: false,
  errorFormatter: ({ shape, error }) => ({ ...shape, message: formatMessage(error) }),
});

export const { router, procedure, createCallerFactory } = t;

/** Returns the error text for clients. The cause of an internal error is not sent. */
function formatMessage(error: TRPCError): string {
  if (error.code === 'INTERNAL_SERVER_ERROR')
    return 'The service failed to process this request. Send it again in a minute.';
  if (!(error.cause instanceof ZodError)) return error.message;
  return error.cause.issues
    .map(({ path, message }) => `${path.length === 0 ? 'The input' : path.join('.')} ${message}.`)
    .join(' ');
}
