import type { Answer, Exchange, Exchanged } from './exchange.ts';
import type { Order } from './order.ts';
import { readProblem, saysNotCharged } from './problem.ts';

/** What sending a payment came to. */
export type Sent =
  /** It bought something: JSON is in the answer. */
  | { readonly outcome: 'served'; readonly answer: Answer }
  /** The service will not take it, whatever is done, and nothing was charged for it. */
  | { readonly outcome: 'refused'; readonly answer: Answer }
  /**
   * It can be sent again, and may have bought something. `answer` is the last one, where there was one; `maybeCharged` is
   * false where the service says that nothing was charged so far.
   */
  | {
      readonly outcome: 'open';
      readonly reason: string;
      readonly answer: Answer | null;
      readonly maybeCharged: boolean;
    };

export interface SendTools {
  readonly exchange: Exchange;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds, for durations. */
  readonly clock: () => number;
  /** Hears before each repetition why there is one. */
  readonly say: (line: string) => void;
  /** Whether it was sent before, so that it may be charged already whatever is answered now. */
  readonly wasSent: boolean;
}

/** Failures in a row after which nothing more is sent. */
const MOST_FAILURES = 5;
const FIRST_PAUSE_MS = 500;
/** Whoever asks for a longer pause is not waited for. */
const LONGEST_PAUSE_MS = 30_000;
/** Time for a service that says that it is still working on it. */
const WORK_MS = 120_000;
/** Statuses of a moment: what is overloaded, restarting or broken can be well a little later. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Sends an order with its signed payment until it is answered for good. What is sent is the same each time, to the last
 * byte: a payment buys one result however often it arrives, and can be settled on the chain only once.
 */
export async function sendPaid(order: Order, signature: string, tools: SendTools): Promise<Sent> {
  const headers = new Headers({ 'payment-signature': signature });
  const begun = tools.clock();
  let maybeCharged = tools.wasSent;
  for (let failures = 0; ;) {
    const exchanged = await tools.exchange(order, headers);
    const judged = judge(exchanged, maybeCharged);
    if (judged.outcome === 'open') maybeCharged = judged.maybeCharged;
    if (judged.outcome !== 'open' || judged.again === false) return judged;
    const isWorking = judged.again === 'in-progress' && tools.clock() - begun < WORK_MS;
    if (!isWorking) failures += 1;
    const pause = pauseOf(judged.answer) ?? FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1);
    if (failures >= MOST_FAILURES || pause > LONGEST_PAUSE_MS) return judged;
    tools.say(`${judged.reason}: the same payment is sent again, which is charged once at most.`);
    await tools.sleep(pause);
  }
}

type Open = Extract<Sent, { outcome: 'open' }> & { readonly again: 'failed' | 'in-progress' | false };
type Judged = Exclude<Sent, { outcome: 'open' }> | Open;

/** @param maybeCharged whether an earlier attempt may have been charged */
function judge(exchanged: Exchanged, maybeCharged: boolean): Judged {
  if ('lost' in exchanged) {
    const reason = `The answer did not arrive (${exchanged.lost})`;
    return { outcome: 'open', again: 'failed', answer: null, reason, maybeCharged: true };
  }
  const { status, text } = exchanged;
  if (status >= 200 && status < 300 && isJsonObject(text)) return { outcome: 'served', answer: exchanged };
  const isCharged = maybeCharged || !saysNotCharged(exchanged);
  // A refusal of a payment that was settled already reads like any other: its nonce was used, its money is gone.
  const isFinal = status === 402 ? !isCharged : status >= 400 && saysNotCharged(exchanged);
  if (isFinal && !PASSING.has(status)) return { outcome: 'refused', answer: exchanged };
  return { outcome: 'open', answer: exchanged, maybeCharged: isCharged, ...repetitionOf(exchanged) };
}

/** Whether it is worth sending again soon what was answered like that, and why. */
function repetitionOf(answer: Answer): Pick<Open, 'again' | 'reason'> {
  const { status } = answer;
  const problem = readProblem(answer);
  if (status >= 200 && status < 300)
    return { again: false, reason: `It was answered ${String(status)} without JSON` };
  if (status === 409 && problem?.code === 'payment-in-progress')
    return { again: 'in-progress', reason: 'The service is still working on it' };
  if (PASSING.has(status)) return { again: 'failed', reason: `The service answered ${String(status)}` };
  if (status === 402) return { again: false, reason: 'The service did not take it' };
  // Without a problem some other program answered, such as the login page of a network.
  const words = problem === null ? ', and not in the words of the service' : '';
  return { again: false, reason: `It was answered ${String(status)}${words}` };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Milliseconds that the service asks to be left alone for (RFC 9110, section 10.2.3), or null. */
function pauseOf(answer: Answer | null): number | null {
  const text = answer?.headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
