import { cron, type Inngest } from 'inngest';
import { reconcilePayments } from '@touchstone/payment';
import type { PipelineContext } from '@touchstone/pipeline';

/**
 * The job that looks after payments whose settlement was begun and never heard of again, as an Inngest function: a step
 * for each chain that is read.
 *
 * @param context made when a step runs, so that nothing is opened when functions are only listed
 */
export function reconcileFunction(client: Inngest, context: () => PipelineContext) {
  return client.createFunction(
    {
      id: 'reconcile',
      name: 'Look after payments',
      triggers: [cron('*/2 * * * *')],
      concurrency: { limit: 1 },
      retries: 2,
      timeouts: { start: '2m', finish: '10m' },
      checkpointing: false,
    },
    async ({ step }) => {
      for (const { providers } of context().chains ?? []) {
        await step.run(`look after ${providers.network}`, () => {
          const { db, now } = context();
          return reconcilePayments({ db, chain: providers, now });
        });
      }
    },
  );
}
