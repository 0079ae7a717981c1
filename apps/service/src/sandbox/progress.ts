import { DAY_MS } from '@touchstone/common';

const BAR_CHARACTERS = 28;

/** Progress of a time-lapse. Times are simulated, in milliseconds since 1970. */
export interface Progress {
  readonly from: number;
  /** Simulated time at which this run started. It is after `from` if an earlier run was interrupted. */
  readonly resumedAt: number;
  readonly recordedUntil: number;
  readonly to: number;
  readonly probes: number;
  /** Duration of this run, in real milliseconds. */
  readonly tookMs: number;
}

/** Formats the progress as one line, such as `█████░░░ day 5 of 14 · 15,233 probes · 23 s left`. */
export function formatProgress({ from, resumedAt, recordedUntil, to, probes, tookMs }: Progress): string {
  const share = to <= from ? 1 : Math.min(1, Math.max(0, (recordedUntil - from) / (to - from)));
  const filled = Math.round(share * BAR_CHARACTERS);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARACTERS - filled);
  const days = Math.round((to - from) / DAY_MS);
  const day = Math.min(days, Math.floor((recordedUntil - from) / DAY_MS) + 1);
  const done = recordedUntil - resumedAt;
  const left =
    done > 0 ? ` · ${Math.ceil(((tookMs / done) * Math.max(0, to - recordedUntil)) / 1000)} s left` : '';
  return `${bar} day ${day} of ${days} · ${probes.toLocaleString('en-US')} probes${left}`;
}

interface Terminal {
  readonly isTTY: boolean;
  write(text: string): boolean;
}

/**
 * Creates a writer for progress lines. On a terminal, each line replaces the previous line. Without a terminal, a line
 * is printed only when `mark` changes.
 */
export function createProgressWriter(out: Terminal) {
  let last: unknown = null;
  return {
    draw(line: string, mark: unknown): void {
      if (out.isTTY) out.write(`\r\u001b[2K  ${line}`);
      else if (mark !== last) out.write(`  ${line}\n`);
      last = mark;
    },
    end(): void {
      if (out.isTTY) out.write('\r\u001b[2K');
    },
  };
}
