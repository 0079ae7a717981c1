/** Patterns of formatted figures by kind. */
const PATTERNS = {
  score: /\b\d+\.\d(?= of 100\b)/g,
  confidence: /\b[01]\.\d\d of 1\b/g,
  percent: /\b\d+(?:\.\d+)? ?%/g,
  latency: /\b[\d,.]+ m?s\b/g,
  price: /\$\d[\d,.]*\d/g,
} as const;

/** Returns the distinct figures of a text by kind, in the order of the text. Kinds without a figure are left out. */
export function findFigures(text: string): Partial<Record<keyof typeof PATTERNS, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(PATTERNS).flatMap(([kind, pattern]) => {
      const found = [...new Set(text.match(pattern) ?? [])];
      return found.length === 0 ? [] : [[kind, found]];
    }),
  );
}
