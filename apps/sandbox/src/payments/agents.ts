import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import { getStateAt } from '../scenario/timeline.ts';
import { toErrorMessage } from '../startup-error.ts';
import type { Buyer } from './buyer.ts';
import { createOutcomeReports } from './outcome-reports.ts';
import { payOverHttp, type HttpPaymentOptions } from './pay-over-http.ts';
import {
  getPaymentNetwork,
  planCalls,
  type PlannedCall,
  type PlanOptions,
  type TimeSpan,
} from './planned-calls.ts';
import { createRefunds, settlePastCalls, type PastCallOptions } from './settle-past-calls.ts';

export interface AgentsOptions
  extends PlanOptions, Omit<PastCallOptions, 'refunds' | 'outcomes'>, HttpPaymentOptions {
  readonly findBuyer: (address: Address) => Buyer | undefined;
  /** URL of the service that receives the outcomes of payments; null to send none. */
  readonly serviceUrl: string | null;
  /** Returns the simulated time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Reports an error, in one line. */
  readonly warn: (message: string) => void;
}

/** Simulated buyers (agents) of the sandbox. They pay endpoints as the scenario defines. */
export interface Agents {
  /**
   * Makes the agents pay up to the time of the clock. If `at` is a time, the agents make all planned calls up to `at`.
   * If `at` is null, the agents make the planned calls in real time from now on. Before the first call of
   * `followClock`, the agents pay nothing, so that payments in the simulated past come first.
   * @param at time at which the clock is stopped, in milliseconds since 1970; null while the clock follows real time
   */
  readonly followClock: (at: number | null) => void;
  /** Returns the simulated time up to which the agents have made all planned calls, in milliseconds since 1970. */
  readonly paidThrough: () => number;
  readonly stop: () => void;
}

/** Length of a time slot, in milliseconds. All calls of a past slot are paid in one block. */
const SLOT_MS = 1_800_000;
const TICK_MS = 5_000;
/**
 * Maximum time between two blocks, in seconds, while the clock follows real time. Programs that read the chain would
 * regard a chain without new blocks as stuck.
 */
const MAX_BLOCK_INTERVAL_SECONDS = 600;

/**
 * Returns the ends of the time slots in a time span, and the end of the span. All ends are rounded down to whole
 * seconds, because block times are whole seconds.
 */
function listSlotEnds(after: number, through: number, epoch: number): number[] {
  const ends: number[] = [];
  const first = epoch + (Math.floor((after - epoch) / SLOT_MS) + 1) * SLOT_MS;
  for (let end = first; end < through; end += SLOT_MS) ends.push(Math.floor(end / 1_000) * 1_000);
  return [...ends, Math.floor(through / 1_000) * 1_000].filter((end) => end > after);
}

function planOwnCalls(options: AgentsOptions, span: TimeSpan): PlannedCall[] {
  return planCalls(options, span).filter(
    ({ endpoint, at }) =>
      getPaymentNetwork(endpoint, getStateAt(endpoint.timeline, at))?.id === options.chain.network.id,
  );
}

/**
 * Repeats a step until the step returns null or `signal` is aborted. The step returns the delay before its next run, in
 * milliseconds. A failed step, for example while the disk is full, is repeated after five seconds. If the repeated step
 * also fails, the failure is reported.
 */
async function repeatSteps(
  step: () => Promise<number | null>,
  signal: AbortSignal,
  report: (problem: string) => void,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let delayMs: number | null = TICK_MS;
    try {
      delayMs = await step();
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === 2) report(toErrorMessage(error));
    }
    if (delayMs === null) return;
    await sleep(delayMs, null, { signal }).catch(() => undefined);
  }
}

/**
 * Starts the agents of one network. Calls in the simulated past send no HTTP requests: their payments are settled on
 * the chain in batches. Calls in real time are made over HTTP.
 */
export function startAgents(options: AgentsOptions): Agents {
  const { chain, epoch, now, warn } = options;
  const refunds = createRefunds(chain.network, epoch);
  const outcomes = createOutcomeReports(options);
  let through = chain.head().at * 1_000;
  let target: number | null | undefined;
  let isWorking = false;
  const stopped = new AbortController();
  const { signal } = stopped;

  const payPast = async (until: number): Promise<void> => {
    for (const end of listSlotEnds(through, until, epoch)) {
      if (signal.aborted) return;
      const calls = planOwnCalls(options, { after: through, through: end });
      await settlePastCalls(calls, end / 1_000, { ...options, refunds, outcomes });
      through = end;
    }
  };

  const payPresent = async (): Promise<void> => {
    const end = now();
    const at = Math.floor(end / 1_000);
    if (at - chain.head().at >= MAX_BLOCK_INTERVAL_SECONDS)
      await chain.mine({ at, unsigned: [], signed: [] });
    const calls = planOwnCalls(options, { after: Math.max(through, end - TICK_MS * 3), through: end });
    through = Math.max(through, end);
    for (const call of calls) {
      const payment = await payOverHttp(call, options).catch(() => null);
      if (!payment) continue;
      refunds.record([payment.entry]);
      outcomes.record([payment]);
    }
    const unsigned = refunds.takeDue(end);
    if (unsigned.length > 0) await chain.mine({ at, unsigned, signed: [] });
    await outcomes.sendDue(end);
  };

  const step = async (): Promise<number | null> => {
    const until = target;
    if (until === undefined || (until !== null && until - through < 1_000)) return null;
    await (until === null ? payPresent() : payPast(until));
    return until === null ? TICK_MS : 0;
  };

  const startWork = (): void => {
    if (isWorking) return;
    isWorking = true;
    const report = (problem: string) =>
      warn(`agents on ${chain.network.id} cannot pay (${problem}); they try again every 5 s`);
    void repeatSteps(step, signal, report).finally(() => {
      isWorking = false;
    });
  };

  return {
    followClock: (at) => {
      target = at;
      startWork();
    },
    paidThrough: () => through,
    stop: () => stopped.abort(),
  };
}

export function combineAgents(agents: readonly Agents[]): Agents {
  return {
    followClock: (at) => {
      for (const each of agents) each.followClock(at);
    },
    paidThrough: () => Math.min(...agents.map((each) => each.paidThrough())),
    stop: () => {
      for (const each of agents) each.stop();
    },
  };
}
