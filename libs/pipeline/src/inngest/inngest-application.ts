import type { Inngest, InngestFunction } from 'inngest';
import type { PipelineContext } from '../context.ts';
import { JOB } from '../jobs.ts';
import { createDiscoverFunction, createReadDirectoryFunction } from './discovery-functions.ts';
import { createDeleteAdoptionsFunction, createMaintainFunction } from './maintenance-functions.ts';
import {
  createProbeBatchFunction,
  createProbeDueFunction,
  createRecheckFunction,
  createRecheckMissesFunction,
  type ProbingOptions,
} from './probing-functions.ts';
import { createScoreFunction } from './scoring-function.ts';
import { createReconcileFunction, createSettleFunction } from './settlement-functions.ts';

/**
 * Creates the Inngest functions of all jobs. They call the same code as the in-process scheduler. Scheduled functions for
 * slots and directories only find out how much work there is; each batch and each directory is a separate run.
 *
 * Steps return counts, never observations. A step may be delivered twice, because slots, listings and snapshots have
 * unique keys in the database.
 *
 * @param context called in each step, so that listing the functions opens no connection
 */
function createInngestFunctions(
  client: Inngest,
  context: () => PipelineContext,
  options: ProbingOptions,
): readonly InngestFunction.Any[] {
  return [
    createDiscoverFunction(client, JOB.discover, context),
    createReadDirectoryFunction(client, context),
    createProbeDueFunction(client, JOB.probe, context),
    createProbeBatchFunction(client, context, options),
    createRecheckFunction(client, JOB.recheck, context),
    createRecheckMissesFunction(client, context),
    createScoreFunction(client, JOB.score, context),
    createSettleFunction(client, JOB.settle, context),
    createReconcileFunction(client, JOB.reconcile, context),
    createDeleteAdoptionsFunction(client, JOB.adoptions, context),
    createMaintainFunction(client, JOB.maintain, context),
  ];
}

/**
 * Creates the arguments for `serve` of any framework.
 *
 * Registration must be signed too. An unsigned registration would let anyone tell Inngest that our jobs run at the host of
 * their own request.
 */
export function createInngestApplication(
  client: Inngest,
  context: () => PipelineContext,
  options: ProbingOptions,
) {
  return { client, functions: createInngestFunctions(client, context, options), enableUnauthedSync: false };
}
