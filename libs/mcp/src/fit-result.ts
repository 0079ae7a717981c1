import type { CallToolResult } from '@modelcontextprotocol/server';
import { isJsonObject } from '@touchstone/common';
import type { Members } from './tool-schemas.ts';
import type { ShortForm } from './short-forms.ts';

/**
 * Maximum size of a tool result as JSON, in bytes of UTF-8. With its JSON-RPC message, a result has at most 20,000 bytes.
 * Clients add each result to the context of a model.
 */
const MAX_RESULT_BYTES = 19_500;

interface FitOptions {
  /** Creates the result from a body. */
  readonly create: (body: Members) => CallToolResult;
  /** Converts the body to its short form. */
  readonly shorten: (body: Members) => ShortForm;
  /** Returns the sentence on how to get the whole body. */
  readonly locateWhole: () => Promise<string>;
}

/**
 * Creates a tool result of at most `MAX_RESULT_BYTES`. A body that does not fit is replaced by its short form, whose
 * longest lists are then cut until the result fits. The member `truncated` says what was changed, and how to get the
 * whole body.
 */
export async function createFittingResult(
  body: Members,
  { create, shorten, locateWhole }: FitOptions,
): Promise<CallToolResult> {
  const whole = create(body);
  if (countBytes(whole) <= MAX_RESULT_BYTES) return whole;
  const { keep = 'first', notes, finish = (cut) => cut, ...short } = shorten(body);
  const cut = structuredClone(short.body);
  const lengths = new Map<string, number>();
  const sentence = await locateWhole();
  for (;;) {
    const truncated = [...notes, ...describeCuts(cut, lengths, keep), sentence].join(' ');
    const result = create({ truncated, ...finish(cut) });
    const excess = countBytes(result) - MAX_RESULT_BYTES;
    if (excess <= 0) return result;
    cutLongest(cut, { excess, keep, lengths });
  }
}

const countBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Returns the size of a value within the text of a result. There, each quotation mark is escaped. */
const countEscapedBytes = (value: unknown): number => countBytes(JSON.stringify(value));

interface Found {
  readonly path: string;
  readonly list: unknown[];
  readonly bytes: number;
}

interface CutOptions {
  /** Number of bytes by which the result is too large. */
  readonly excess: number;
  /** End of each list that is kept. */
  readonly keep: 'first' | 'last';
  /** Lengths of the cut lists before the first cut, by path. */
  readonly lengths: Map<string, number>;
}

/**
 * Shortens the largest list with several elements; without one, empties the largest list; without elements, deletes the
 * largest member. Each call makes the body smaller.
 */
function cutLongest(body: Record<string, unknown>, { excess, keep, lengths }: CutOptions): void {
  const lists = [...findLists(body, '')].filter(({ list }) => list.length > 0);
  const [largest] = lists.toSorted(
    (one, other) => Number(other.list.length > 1) - Number(one.list.length > 1) || other.bytes - one.bytes,
  );
  if (largest === undefined) {
    const [name = ''] = Object.keys(body).toSorted(
      (one, other) => countBytes(body[other]) - countBytes(body[one]),
    );
    lengths.set(name, 1);
    Reflect.deleteProperty(body, name);
    return;
  }
  const { path, list, bytes } = largest;
  if (!lengths.has(path)) lengths.set(path, list.length);
  const fitting = Math.floor(list.length * (1 - excess / bytes));
  const length = Math.max(list.length > 1 ? 1 : 0, Math.min(list.length - 1, fitting));
  if (keep === 'first') list.splice(length);
  else list.splice(0, list.length - length);
}

/** Finds all lists in a value. */
function* findLists(value: unknown, path: string): Generator<Found> {
  if (Array.isArray(value)) yield { path, list: value, bytes: countEscapedBytes(value) };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    yield* findLists(member, path === '' ? name : `${path}.${name}`);
}

/** Describes the cut lists that remain, such as "`matches` has the first 12 of 25." */
function describeCuts(body: Members, lengths: ReadonlyMap<string, number>, keep: 'first' | 'last'): string[] {
  return [...lengths].flatMap(([path, length]) => {
    const value = readPath(body, path);
    if (value === undefined) return path.includes('.') ? [] : [`\`${path}\` is left out.`];
    return Array.isArray(value)
      ? [`\`${path}\` has the ${keep} ${String(value.length)} of ${String(length)}.`]
      : [];
  });
}

function readPath(body: Members, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (Array.isArray(value) || isJsonObject(value) ? Reflect.get(value, name) : undefined),
      body,
    );
}
