import type { Answer, Exchange, Exchanged } from './exchange.ts';
import type { Order } from './order.ts';
import { readProblem } from './problem.ts';

/** What sending a payment came to. */
export type Sent =
  /** It bought something: JSON is in the answer. */
  | { readonly outcome: 'served'; readonly answer: Answer }
  /** The service will not take it, whatever is done. */
  | { readonly outcome: 'refused'; readonly answer: Answer }
  /** Nobody knows here what became of it; it can be sent again. `answer` is the last one, where there was one. */
  | { readonly outcome: 'open'; readonly reason: string; readonly answer: Answer | null };

export interface SendTools {
  readonly exchange: Exchange;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds, for durations. */
  readonly clock: () => number;
  /** Hears before each repetition why there is one. */
  readonly say: (line: string) => void;
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
  for (let failures = 0; ;) {
    const exchanged = await tools.exchange(order, headers);
    const judged = judge(exchanged);
    if (judged.outcome !== 'open' || judged.again === false) return judged;
    const isWorking = judged.again === 'in-progress' && tools.clock() - begun < WORK_MS;
    if (!isWorking) failures += 1;
    const pause = pauseOf(judged.answer) ?? FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1);
    if (failures >= MOST_FAILURES || pause > LONGEST_PAUSE_MS) return judged;
    tools.say(`${judged.reason}: the same payment is sent again, which is charged once at most.`);
    await tools.sleep(pause);
  }
}

type Judged =
  | Exclude<Sent, { outcome: 'open' }>
  | (Extract<Sent, { outcome: 'open' }> & { readonly again: 'failed' | 'in-progress' | false });

function judge(exchanged: Exchanged): Judged {
  if ('lost' in exchanged) {
    const reason = `The answer did not arrive (${exchanged.lost})`;
    return { outcome: 'open', again: 'failed', answer: null, reason };
  }
  const answer = exchanged;
  const { status } = answer;
  if (status >= 200 && status < 300) {
    if (isJsonObject(answer.text)) return { outcome: 'served', answer };
    return {
      outcome: 'open',
      again: false,
      answer,
      reason: `It was answered ${String(status)} without JSON`,
    };
  }
  const problem = readProblem(answer);
  if (status === 409 && problem?.code === 'payment-in-progress') {
    const reason = 'The service is still working on it';
    return { outcome: 'open', again: 'in-progress', answer, reason };
  }
  if (PASSING.has(status)) {
    const reason = `The service answered ${String(status)}`;
    return { outcome: 'open', again: 'failed', answer, reason };
  }
  if (status === 402 || (problem !== null && status >= 400)) return { outcome: 'refused', answer };
  // Some other program answered, such as the login page of a network.
  const reason = `It was answered ${String(status)}, and not in the words of the service`;
  return { outcome: 'open', again: false, answer, reason };
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
