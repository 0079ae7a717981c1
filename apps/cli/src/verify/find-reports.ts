import { parseStrict } from './parse-strict.ts';

/** Something that may be a report, or the lack of it, and where it was found; the place is empty for all there is. */
export type Found =
  { readonly place: string; readonly report: unknown } | { readonly place: string; readonly fault: string };

/**
 * The reports of a text: one, a list of them, one on each line, or an answer that carries samples of them, as the
 * preview does.
 */
export function findReports(text: string): readonly Found[] {
  const whole = tryParse(text);
  if ('json' in whole) return inDocument(whole.json, '');
  const lines = text
    .split('\n')
    .map((line, index) => ({ line, place: `line ${String(index + 1)}` }))
    .filter(({ line }) => line.trim() !== '');
  const parsed = lines.map(({ line, place }) => ({ place, ...tryParse(line) }));
  // Where no line is JSON by itself, it is one broken document, and its own fault says more than that of each line.
  if (!parsed.some((one) => 'json' in one)) return [{ place: '', fault: whole.fault }];
  return parsed.flatMap((one) =>
    'json' in one ? inDocument(one.json, one.place) : [{ place: one.place, fault: one.fault }],
  );
}

function tryParse(text: string): { readonly json: unknown } | { readonly fault: string } {
  try {
    return { json: parseStrict(text) };
  } catch (error) {
    return { fault: `it is not JSON: ${error instanceof Error ? error.message : 'unreadable'}` };
  }
}

function inDocument(json: unknown, place: string): Found[] {
  if (!Array.isArray(json)) return inObject(json, place);
  return json.flatMap((element: unknown, index) => inObject(element, join(place, `[${String(index)}]`)));
}

function inObject(json: unknown, place: string): Found[] {
  const samples = memberOf(json, 'samples');
  if (!Array.isArray(samples)) return [{ place, report: json }];
  return samples.map((sample: unknown, index) => ({
    place: join(place, `samples[${String(index)}].report`),
    report: memberOf(sample, 'report'),
  }));
}

function memberOf(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) return undefined;
  return Object.entries(json).find(([member]) => member === name)?.[1];
}

function join(place: string, part: string): string {
  return place === '' ? part : `${place}, ${part}`;
}
