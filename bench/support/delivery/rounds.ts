import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import type { ClaimedEndpoint } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import { deliverEvents, type DeliverContext } from '../../../libs/pipeline/src/watches/deliver-events.ts';
import { formatNumber } from '../figures.ts';
import type { Session } from '../psql.ts';
import type { CallTotals } from '../rpc.ts';
import { createBareAgent, sendBare, toBareRequest, type BareRequest } from './bare-client.ts';
import type { ReceivedMessage } from './receivers-process.ts';
import type { Receivers } from './receivers.ts';
import { recordTerms } from './watches.ts';

/** Number of alerts that one round adds for each watch. */
export const ALERTS_PER_ROUND = 4;
/** Timeout of a request of the bare client, the same as that of the job. */
const TIMEOUT_MS = 15_000;
/** The clock jumps a quarter further than to the next due time, so that messages with different jitter are due together. */
const EXTRA_JUMP_SHARE = 0.25;

/** Clock that runs in real time, and can jump forward. */
export interface Clock {
  readonly now: () => number;
  readonly advance: (ms: number) => void;
}

/** Creates a clock that shows the time `start`, in milliseconds since the epoch. */
export function createClock(start: number): Clock {
  let offset = start - performance.now();
  return {
    now: () => Math.floor(performance.now() + offset),
    advance: (ms) => {
      offset += ms;
    },
  };
}

/** Environment of the benchmark. */
export interface Bench {
  readonly session: Session;
  /** Database calls of the job since the begin of the round, by the name of the function. */
  readonly totals: Map<string, CallTotals>;
  readonly clock: Clock;
  readonly receivers: Receivers;
  /** PEM certificate of the authority that the clients trust. */
  readonly ca: string;
  /** Watched endpoints. */
  readonly endpoints: readonly ClaimedEndpoint[];
  readonly context: DeliverContext;
  readonly cipher: Cipher;
  /** Maximum number of requests in flight. */
  readonly inFlight: number;
}

/** Measured run of a client. */
export interface Run {
  readonly seconds: number;
  /** CPU time of this process, in milliseconds. */
  readonly cpuMs: number;
  /** Number of messages with a response of status 200. */
  readonly accepted: number;
}

/** Measures a client. `work` returns the number of messages that the receivers accepted. */
async function measure(work: () => Promise<number>): Promise<Run> {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const accepted = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - startedAt) / 1_000, cpuMs: (user + system) / 1_000, accepted };
}

/** Runs the job until nothing is due at the current time. Returns the number of delivered messages. */
async function deliverDue({ context, inFlight }: Bench): Promise<number> {
  let total = 0;
  for (;;) {
    const { claimed, delivered } = await deliverEvents(context, { inFlight });
    total += delivered;
    if (claimed === 0) return total;
  }
}

/** One round: the same requests by the job and by the bare client. */
export interface Round {
  readonly ours: Run;
  readonly fresh: Run;
  readonly kept: Run;
  readonly requests: number;
  /** Database calls of the job, by the name of the function. */
  readonly calls: ReadonlyMap<string, CallTotals>;
  readonly received: readonly ReceivedMessage[];
  readonly maxInFlight: number;
}

async function repeatBare(bench: Bench, requests: readonly BareRequest[], keepAlive: boolean): Promise<Run> {
  await bench.receivers.repeat();
  const agent = createBareAgent(bench.ca, keepAlive, bench.inFlight);
  const run = await measure(() =>
    sendBare(requests, agent, { inFlight: bench.inFlight, timeoutMs: TIMEOUT_MS }),
  );
  const { accepted } = await bench.receivers.take();
  if (accepted !== run.accepted) throw new Error(`the bare client lost ${accepted - run.accepted} responses`);
  return run;
}

/** Records changes of all endpoints, delivers what is due, and sends the same requests with the bare client. */
export async function runRound(bench: Bench, round: number): Promise<Round> {
  const { session, clock, endpoints, receivers, totals } = bench;
  for (let alert = 1; alert <= ALERTS_PER_ROUND; alert += 1) {
    clock.advance(5 * MINUTE_MS);
    const version = round * ALERTS_PER_ROUND + alert;
    await recordTerms(session, endpoints, { version, at: clock.now() });
  }
  clock.advance(MINUTE_MS);
  totals.clear();
  await receivers.begin();
  const ours = await measure(() => deliverDue(bench));
  const calls = new Map(totals);
  const { received, accepted, maxInFlight } = await receivers.take();
  if (accepted !== ours.accepted) throw new Error(`${accepted} accepted, but ${ours.accepted} recorded`);
  const requests = received.map((message) => toBareRequest(message, receivers.toUrl(message.destination)));
  const fresh = await repeatBare(bench, requests, false);
  const kept = await repeatBare(bench, requests, true);
  return { ours, fresh, kept, requests: received.length, calls, received, maxInFlight };
}

/** Delivers the rest. The clock jumps to the next due time whenever nothing is due. */
export async function drainRest(bench: Bench): Promise<Pick<Round, 'received' | 'maxInFlight'>> {
  const { session, clock, receivers } = bench;
  await receivers.begin();
  const startedAt = clock.now();
  const wallAt = performance.now();
  let delivered = 0;
  for (;;) {
    delivered += await deliverDue(bench);
    const due = await session.run(
      'select extract(epoch from min(next_due_at)) * 1000 from public.watch_destinations',
    );
    if (due.trim() === '') break;
    const wait = Math.max(0, Number(due) - clock.now());
    clock.advance(wait * (1 + EXTRA_JUMP_SHARE) + 1);
  }
  const { received, maxInFlight } = await receivers.take();
  console.log(
    `Rest: ${formatNumber(received.length)} attempts in ${formatNumber((clock.now() - startedAt) / (24 * HOUR_MS), 1)} days of virtual time ` +
      `(${formatNumber((performance.now() - wallAt) / 1_000)} s), ${formatNumber(delivered)} delivered.\n`,
  );
  return { received, maxInFlight };
}
