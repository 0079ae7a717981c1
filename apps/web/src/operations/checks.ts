import { createCode, type RepairFacts } from '@touchstone/check';
import { CODE_STACKS, type EndpointCheck } from '@touchstone/contract/operations/check/response';
import {
  createCheckService,
  findKeptCheck,
  type CheckRequest,
  type CheckService,
} from '@touchstone/pipeline/checks/check-live';
import type { CheckOutcome } from '@touchstone/pipeline/checks/run-check';
import { refusesChecks, type KeptCheck } from '@touchstone/store';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { getProcessValue } from '../platform/process-value.ts';
import type { ReportContext } from '@touchstone/pipeline/reports/report-context';
import { getReportContext } from './report-context.ts';

type Code = NonNullable<EndpointCheck['code']>;

/**
 * Checks an endpoint live, or returns the result of a recent check. The route and the page share the
 * limits and the running checks of this process.
 */
export async function runLiveCheck(request: CheckRequest): Promise<CheckOutcome> {
  const context = await getReportContext();
  const services = getProcessValue('check-services', () => new WeakMap<ReportContext, CheckService>());
  const service = services.get(context) ?? createCheckService(context);
  services.set(context, service);
  return service.check(request);
}

/** Returns the result of the latest check within a day; null without one. Sends no request to the endpoint. */
export function readKeptCheck(request: Pick<CheckRequest, 'resource' | 'method'>): Promise<KeptCheck | null> {
  return findKeptCheck(getSecretDatabase(), { ...request, now: Date.now() });
}

/** Returns true if the provider of an endpoint asked this service to send it no requests. */
export function isRefusedByProvider(endpoint: Parameters<typeof refusesChecks>[1]): Promise<boolean> {
  return refusesChecks(getSecretDatabase(), endpoint);
}

/**
 * Returns the result of a check with the code for one stack.
 *
 * @param stack stack of the code; undefined for the recognized stack, or else Express
 */
export function addCode({ check, repair }: KeptCheck, stack?: Code['stack']): EndpointCheck {
  return { ...check, code: createCode(repair satisfies RepairFacts | null, stack) };
}

/** Returns the code of the repaired route for every stack; empty without a repair. */
export function listCode({ repair }: KeptCheck): readonly Code[] {
  return CODE_STACKS.flatMap((stack) => createCode(repair, stack) ?? []);
}
