import type { Paint } from '../paint.ts';
import { wrap } from '../wrap.ts';

/** How a printed answer is to look. */
export interface TextStyle {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
}

/** A fact under a heading in the margin. */
export type Row = readonly [name: string, value: string];

const MARGIN = 13;

/** Rows of facts, their values one below the other. */
export function rowLines(rows: readonly Row[], { paint, width }: TextStyle): string[] {
  return rows.flatMap(([name, value]) =>
    wrap(value, ' '.repeat(MARGIN), width).map((line, index) =>
      index === 0 ? `  ${paint('dim', name.padEnd(MARGIN - 2))}${line.slice(MARGIN)}` : line,
    ),
  );
}

/** Sections with an empty line between them; those without lines are left out. */
export function sectionsText(sections: readonly (readonly string[])[]): string {
  const filled = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${filled.join('\n\n')}\n`;
}
