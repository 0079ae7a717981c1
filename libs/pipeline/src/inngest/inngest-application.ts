import type { Inngest, InngestFunction } from 'inngest';
import { JOB } from '../jobs.ts';
import { createDeliverFunction } from './deliver-function.ts';
import { createDiscoverFunction, createReadDirectoryFunction } from './discovery-functions.ts';
import { createLogFailuresFunction } from './failure-function.ts';
import type { OpenContext } from './function-options.ts';
import { createJobFunction } from './job-functions.ts';
import {
  createProbeBatchFunction,
  createProbeDueFunction,
  createRecheckFunction,
  createRecheckMissesFunction,
  type ProbingOptions,
} from './probing-functions.ts';

/**
 * Creates the arguments for the `serve` function of any framework adapter of Inngest: the functions of all jobs, and a
 * function that logs failed runs. The functions call the same code as the in-process scheduler. The scheduled functions
 * for probes and for directories only request work: each batch of probes and each directory has a separate run.
 *
 * Steps return counts, never observations. Inngest may deliver a step twice. A second delivery is harmless, because
 * probe slots, listings and snapshots have unique keys in the database.
 *
 * @param openContext called in each request that runs a function, so that listing the functions opens no database
 * connection
 */
export function createInngestApplication(client: Inngest, openContext: OpenContext, options: ProbingOptions) {
  const functions: readonly InngestFunction.Any[] = [
    createDiscoverFunction(client, JOB.discover, openContext),
    createReadDirectoryFunction(client, openContext),
    createProbeDueFunction(client, JOB.probe, openContext),
    createProbeBatchFunction(client, openContext, options),
    createRecheckFunction(client, JOB.recheck, openContext),
    createRecheckMissesFunction(client, openContext),
    createJobFunction(client, 'score', openContext),
    createJobFunction(client, 'search', openContext),
    createJobFunction(client, 'statistics', openContext),
    createJobFunction(client, 'settle', openContext),
    createJobFunction(client, 'reconcile', openContext),
    createJobFunction(client, 'adoptions', openContext),
    createDeliverFunction(client, JOB.deliver, openContext),
    createJobFunction(client, 'watches', openContext),
    createJobFunction(client, 'claims', openContext),
    createJobFunction(client, 'purchases', openContext),
    createJobFunction(client, 'maintain', openContext),
    createLogFailuresFunction(client),
  ];
  // Registration requests must be signed too. Otherwise anyone could register a different host as the host of our jobs.
  return { client, functions, enableUnauthedSync: false };
}
