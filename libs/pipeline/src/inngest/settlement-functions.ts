import type { Inngest } from 'inngest';
import type { PipelineContext } from '../context.ts';
import type { Job } from '../jobs.ts';
import { addReconciled, EMPTY_RECONCILE_SUMMARY, reconcileChain } from '../payments/reconcile.ts';
import type { ChainSource } from '../settlement/chain-source.ts';
import { settleBatch, settleInBatches } from '../settlement/settle.ts';
import { createCronOptions, createStepSignal, type OpenContext } from './function-options.ts';

/**
 * Creates the function that reads settled payments every five minutes, with one step per batch of a network. A network
 * that cannot be read, or whose step reaches its deadline, is left to the next run, so that it does not delay the other
 * networks. Steps that fail for another reason are retried.
 */
export function createSettleFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    { ...createCronOptions(job), retries: 3, timeouts: { start: '5m', finish: '1h' } },
    async ({ step }) => {
      const { chains = [] } = await openContext();
      return settleInBatches(chains, ({ providers: { network } }, number) =>
        step.run(`settle ${network} ${number}`, async () => {
          const context = await openContext();
          return settleBatch(context, getChain(context, network), { signal: createStepSignal() });
        }),
      );
    },
  );
}

/**
 * Creates the function that compares payments with their chain every two minutes, with one step per network. A step that
 * reaches its deadline leaves the remaining payments to a later run. The result of the run contains disputed payments.
 * They are also logged as errors for the operator.
 */
export function createReconcileFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    { ...createCronOptions(job), retries: 2, timeouts: { start: '2m', finish: '1h' } },
    async ({ step }) => {
      let total = EMPTY_RECONCILE_SUMMARY;
      const { chains = [] } = await openContext();
      for (const { providers } of chains) {
        const { network } = providers;
        const summary = await step.run(`reconcile ${network}`, async () => {
          const context = await openContext();
          const chain = getChain(context, network);
          const reconciled = await reconcileChain(context, chain, { signal: createStepSignal() });
          for (const dispute of reconciled.disputes ?? []) client.logger.error(dispute);
          return reconciled;
        });
        total = addReconciled(total, summary);
      }
      return total;
    },
  );
}

/**
 * Returns the chain of a network. Throws when the network is no longer configured. This is possible, because each step
 * creates a new context.
 */
function getChain({ chains = [] }: PipelineContext, network: string): ChainSource {
  const chain = chains.find(({ providers }) => providers.network === network);
  if (chain === undefined) throw new Error(`${network} is no longer configured`);
  return chain;
}
