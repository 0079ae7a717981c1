const WIDTH = 28;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface Progress {
  readonly from: number;
  /** Where this run took it up; `from`, unless an earlier run was interrupted. */
  readonly began: number;
  readonly livedUntil: number;
  readonly to: number;
  readonly probes: number;
  /** Real milliseconds since it began. */
  readonly tookMs: number;
}

/** One line that says how far a time-lapse is, e.g. `█████░░░ day 5 of 14 · 15,233 probes · 23 s left`. */
export function progressLine({ from, began, livedUntil, to, probes, tookMs }: Progress): string {
  const share = to <= from ? 1 : Math.min(1, Math.max(0, (livedUntil - from) / (to - from)));
  const filled = Math.round(share * WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  const days = Math.round((to - from) / DAY_MS);
  const day = Math.min(days, Math.floor((livedUntil - from) / DAY_MS) + 1);
  const lived = livedUntil - began;
  const left =
    lived > 0 ? ` · ${Math.ceil(((tookMs / lived) * Math.max(0, to - livedUntil)) / 1000)} s left` : '';
  return `${bar} day ${day} of ${days} · ${probes.toLocaleString('en-US')} probes${left}`;
}

interface Terminal {
  readonly isTTY: boolean;
  write(text: string): boolean;
}

/** Draws a line over itself on a terminal; elsewhere prints it when `mark` is new, so that logs stay short. */
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
