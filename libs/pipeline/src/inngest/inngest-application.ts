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
import { createSearchFunction } from './search-function.ts';
import { createReconcileFunction, createSettleFunction } from './settlement-functions.ts';
import { createStatisticsFunction } from './statistics-function.ts';
import { createAdvanceWatchesFunction, createDeliverFunction } from './watch-functions.ts';

/**
 * Creates the Inngest functions of all jobs. They call the same code as the in-process scheduler. The scheduled
 * functions for probes and for directories only request work: each batch of probes and each directory has a separate
 * run.
 *
 * Steps return counts, never observations. Inngest may deliver a step twice. This is harmless, because probe slots,
 * listings and snapshots have unique keys in the database.
 *
 * @param context called in each step, so that listing the functions opens no database connection
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
    createSearchFunction(client, JOB.search, context),
    createStatisticsFunction(client, JOB.statistics, context),
    createSettleFunction(client, JOB.settle, context),
    createReconcileFunction(client, JOB.reconcile, context),
    createDeleteAdoptionsFunction(client, JOB.adoptions, context),
    createDeliverFunction(client, JOB.deliver, context),
    createAdvanceWatchesFunction(client, JOB.watches, context),
    createMaintainFunction(client, JOB.maintain, context),
  ];
}

/**
 * Creates the arguments for the `serve` function of any framework adapter of Inngest.
 *
 * Registration requests must be signed too. Otherwise anyone could register a different host as the host of our jobs.
 */
export function createInngestApplication(
  client: Inngest,
  context: () => PipelineContext,
  options: ProbingOptions,
) {
  return { client, functions: createInngestFunctions(client, context, options), enableUnauthedSync: false };
}
