import type { Inngest, InngestFunction } from 'inngest';
import { JOB } from '../jobs.ts';
import { createDiscoverFunction, createReadDirectoryFunction } from './discovery-functions.ts';
import {
  createDeleteAdoptionsFunction,
  createLogFailuresFunction,
  createMaintainFunction,
} from './maintenance-functions.ts';
import type { OpenContext } from './function-options.ts';
import {
  createProbeBatchFunction,
  createProbeDueFunction,
  createRecheckFunction,
  createRecheckMissesFunction,
  type ProbingOptions,
} from './probing-functions.ts';
import { createScoreFunction, createSearchFunction, createStatisticsFunction } from './scoring-functions.ts';
import { createReconcileFunction, createSettleFunction } from './settlement-functions.ts';
import { createAdvanceWatchesFunction, createDeliverFunction } from './watch-functions.ts';

/**
 * Creates the Inngest functions of all jobs, and one that logs failed runs. They call the same code as the in-process
 * scheduler. The scheduled functions for probes and for directories only request work: each batch of probes and each
 * directory has a separate run.
 *
 * Steps return counts, never observations. Inngest may deliver a step twice. This is harmless, because probe slots,
 * listings and snapshots have unique keys in the database.
 *
 * @param openContext called in each step, so that listing the functions opens no database connection
 */
function createInngestFunctions(
  client: Inngest,
  openContext: OpenContext,
  options: ProbingOptions,
): readonly InngestFunction.Any[] {
  return [
    createDiscoverFunction(client, JOB.discover, openContext),
    createReadDirectoryFunction(client, openContext),
    createProbeDueFunction(client, JOB.probe, openContext),
    createProbeBatchFunction(client, openContext, options),
    createRecheckFunction(client, JOB.recheck, openContext),
    createRecheckMissesFunction(client, openContext),
    createScoreFunction(client, JOB.score, openContext),
    createSearchFunction(client, JOB.search, openContext),
    createStatisticsFunction(client, JOB.statistics, openContext),
    createSettleFunction(client, JOB.settle, openContext),
    createReconcileFunction(client, JOB.reconcile, openContext),
    createDeleteAdoptionsFunction(client, JOB.adoptions, openContext),
    createDeliverFunction(client, JOB.deliver, openContext),
    createAdvanceWatchesFunction(client, JOB.watches, openContext),
    createMaintainFunction(client, JOB.maintain, openContext),
    createLogFailuresFunction(client),
  ];
}

/**
 * Creates the arguments for the `serve` function of any framework adapter of Inngest.
 *
 * Registration requests must be signed too. Otherwise anyone could register a different host as the host of our jobs.
 */
export function createInngestApplication(client: Inngest, openContext: OpenContext, options: ProbingOptions) {
  return {
    client,
    functions: createInngestFunctions(client, openContext, options),
    enableUnauthedSync: false,
  };
}
