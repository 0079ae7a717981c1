import { parseStrict } from './parse-strict.ts';

/** A possible report or a fault, with its location in the text; the location is empty when it is the whole text. */
export type FoundReport =
  | { readonly location: string; readonly report: unknown }
  | { readonly location: string; readonly fault: string };

/** Finds the reports in a text: one report, a list, one on each line, or a response with samples such as the preview. */
export function findReports(text: string): readonly FoundReport[] {
  const whole = tryParse(text);
  if ('json' in whole) return findInDocument(whole.json, '');
  const lines = text
    .split('\n')
    .map((line, index) => ({ line, location: `line ${String(index + 1)}` }))
    .filter(({ line }) => line.trim() !== '');
  const parsed = lines.map(({ line, location }) => ({ location, ...tryParse(line) }));
  // When no line is JSON, the text is one invalid document, and its own fault is more useful than those of its lines.
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

/** Returns an own member of a JSON object; undefined without one. */
function getMember(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) return undefined;
  return Object.entries(json).find(([member]) => member === name)?.[1];
}

function appendLocation(location: string, part: string): string {
  return location === '' ? part : `${location}, ${part}`;
}
