import { createProblem, createValidationProblem, watchEditSchema } from '@touchstone/contract';
import {
  cancelWatch,
  readAttempts,
  readWatch,
  readWatchEvents,
  type WatchResult,
} from '@touchstone/pipeline';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { editInQueue } from '../../operations/connection-test-queue.ts';
import { toProblem } from '../../operations/to-work-result.ts';
import { createProblemError, procedure, router } from './trpc.ts';

const id = z.string('must be the id of a watch');
const cursor = z.string('must be a cursor').optional();

const editInputSchema = z.object({ body: watchEditSchema });

/** Body of a request that edits a watch, as in the API. */
type WatchEditBody = z.input<typeof watchEditSchema>;

/** Procedure for the owner of a watch. The secret is in the `Authorization` header, and the id is in the POSTed input. */
const ownerProcedure = procedure.use(({ ctx, next }) => {
  if (ctx.owner === undefined) {
    throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: 'Send this call with POST.' });
  }
  const { secret, openWatches, readClient } = ctx.owner;
  if (secret === null) {
    const detail = 'The request has no secret. Send it as Authorization: Bearer wsk_….';
    throw createProblemError(createProblem('unauthorized', detail));
  }
  return next({ ctx: { secret, watches: openWatches(), readClient } });
});

/** Returns the body of a result. Throws the problem as a tRPC error with the same status. */
function unwrap<Body>(result: WatchResult<Body>): Body {
  if (result.kind === 'result') return result.body;
  throw createProblemError(toProblem(result), result.retryAfterSeconds);
}

/** Procedures of the watch page. The routes `/v1/watch/{id}` have the same operations. */
export const watchRouter = router({
  /** Reads the settings of a watch and the state of its destinations. */
  read: ownerProcedure
    .input(z.object({ id }))
    .query(async ({ ctx, input }) => unwrap(await readWatch(ctx.watches, { ...input, secret: ctx.secret }))),

  /** Reads new events of a watch, oldest first. `since` and `watchSince` are cursors for the two kinds of events. */
  events: ownerProcedure
    .input(z.object({ id, since: cursor, watchSince: cursor }))
    .query(async ({ ctx, input }) =>
      unwrap(await readWatchEvents(ctx.watches, { ...input, secret: ctx.secret })),
    ),

  /** Reads the latest delivery attempts of a watch, newest first. */
  attempts: ownerProcedure
    .input(z.object({ id }))
    .query(async ({ ctx, input }) =>
      unwrap(await readAttempts(ctx.watches, { ...input, secret: ctx.secret })),
    ),

  /** Changes the settings of a watch. New delivery URLs are tested first, and a failed test changes nothing. */
  edit: ownerProcedure
    // The procedure checks `edit` itself, because a client needs the path of each mistake.
    .input(z.object({ id, edit: z.custom<WatchEditBody>() }))
    .mutation(async ({ ctx, input }) => {
      const parts = { body: input.edit, query: {} };
      const parsed = editInputSchema.safeParse(parts);
      if (!parsed.success) throw createProblemError(createValidationProblem(parsed.error, parts));
      const { id: watchId } = input;
      return unwrap(
        await editInQueue(ctx.watches, {
          id: watchId,
          secret: ctx.secret,
          edit: parsed.data.body,
          client: ctx.readClient(),
        }),
      );
    }),

  /** Cancels a watch. A repeated cancellation has the same result. */
  cancel: ownerProcedure
    .input(z.object({ id }))
    .mutation(async ({ ctx, input }) =>
      unwrap(await cancelWatch(ctx.watches, { ...input, secret: ctx.secret })),
    ),
});
