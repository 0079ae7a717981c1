import { parseStrict } from './parse-strict.ts';

/** A value that may be a report, or a fault. `location` is its place in the text, and empty for the whole text. */
export type FoundReport =
  | { readonly location: string; readonly report: unknown }
  | { readonly location: string; readonly fault: string };

/**
 * Finds the reports in a text: one report, a list of reports, one report on each line, or an object with `samples` as
 * in the preview.
 */
export function findReports(text: string): readonly FoundReport[] {
  const whole = tryParse(text);
  if ('json' in whole) return findInDocument(whole.json, '');
  const lines = text
    .split('\n')
    .map((line, index) => ({ line, location: `line ${String(index + 1)}` }))
    .filter(({ line }) => line.trim() !== '');
  const parsed = lines.map(({ line, location }) => ({ location, ...tryParse(line) }));
  // If no line is valid JSON, the text is one invalid document. Its own fault is more useful than a fault for each
  // line.
  if (!parsed.some((line) => 'json' in line)) return [{ location: '', fault: whole.fault }];
  return parsed.flatMap((line) =>
    'json' in line
      ? findInDocument(line.json, line.location)
      : [{ location: line.location, fault: line.fault }],
  );
}

function tryParse(text: string): { readonly json: unknown } | { readonly fault: string } {
  try {
    return { json: parseStrict(text) };
  } catch (error) {
    return { fault: `not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function findInDocument(json: unknown, location: string): FoundReport[] {
  if (!Array.isArray(json)) return findInObject(json, location);
  return json.flatMap((element: unknown, index) =>
    findInObject(element, appendLocation(location, `[${String(index)}]`)),
  );
}

function findInObject(json: unknown, location: string): FoundReport[] {
  const samples = getMember(json, 'samples');
  if (!Array.isArray(samples)) return [{ location, report: json }];
  return samples.map((sample: unknown, index) => ({
    location: appendLocation(location, `samples[${String(index)}].report`),
    report: getMember(sample, 'report'),
  }));
}

/**
 * Returns the value of a member of a JSON object; undefined when the value is no object or has no such own property.
 */
function getMember(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) return undefined;
  return Object.entries(json).find(([member]) => member === name)?.[1];
}

function appendLocation(location: string, part: string): string {
  return location === '' ? part : `${location}, ${part}`;
}
