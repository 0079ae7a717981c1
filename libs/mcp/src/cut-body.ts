import type { Members } from './tool-schemas.ts';

/** Maximum number of lists, and of left out members, that are named. A body can have thousands. */
const MAX_NAMED = 5;

/** Maximum length of a named path or member. */
const MAX_NAME_CHARS = 100;

interface Found {
  readonly path: string;
  readonly list: unknown[];
}

interface Cut extends Found {
  /** Number of elements before the first cut. */
  readonly length: number;
  readonly keepsLast: boolean;
}

export interface CutBody {
  readonly body: Members;
  /**
   * Makes the body smaller by about `excess` bytes. Lists with several elements are cut first, the largest list before
   * the others. Without such a list, lists are emptied; without elements, the largest members are deleted.
   *
   * @returns false if the body is empty, so that nothing can be cut
   */
  readonly cut: (excess: number) => boolean;
  /** Describes the cuts, such as "`matches` has the first 12 of 25." */
  readonly describe: () => readonly string[];
}

/**
 * Copies a body, so that the copy can be cut.
 *
 * @param newestLast pattern of the paths of the lists that keep their end. Other lists keep their beginning.
 */
export function createCutBody(original: Members, newestLast: RegExp | undefined): CutBody {
  const body: Record<string, unknown> = structuredClone(original);
  const cuts = new Map<unknown[], Cut>();
  const leftOut: string[] = [];
  return {
    body,
    cut: (excess) => {
      const lists = sortLists(body);
      const last = lists.length === 0 ? deleteMembers(body, excess) : [];
      leftOut.push(...last);
      for (const { path, list, length } of cutLists(lists, excess, newestLast)) {
        const keepsLast = newestLast?.test(path) === true;
        cuts.set(list, cuts.get(list) ?? { path, list, length, keepsLast });
      }
      return lists.length > 0 || last.length > 0;
    },
    describe: () => {
      const present = new Set([...findLists(body, '')].map(({ list }) => list));
      const lists = [...cuts.values()].filter(({ list }) => present.has(list));
      return [...describeLists(lists), ...describeMembers(leftOut)];
    },
  };
}

/** Returns the size of a value within the text of a result, in bytes. There, each quotation mark is escaped. */
const countEscapedBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** Finds all lists in a value. A list comes before the lists in its elements. */
function* findLists(value: unknown, path: string): Generator<Found> {
  if (Array.isArray(value)) yield { path, list: value };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    yield* findLists(member, path === '' ? name : `${path}.${name}`);
}

/** Returns the lists with elements: first the lists with several elements, and of these the largest list first. */
function sortLists(body: Members): readonly Found[] {
  return [...findLists(body, '')]
    .filter(({ list }) => list.length > 0)
    .map((found) => ({ ...found, bytes: countEscapedBytes(found.list) }))
    .toSorted(
      (one, other) => Number(other.list.length > 1) - Number(one.list.length > 1) || other.bytes - one.bytes,
    );
}

/** Cuts lists until `excess` bytes are removed. A list with several elements keeps one element. */
function* cutLists(
  lists: readonly Found[],
  excess: number,
  newestLast: RegExp | undefined,
): Generator<Found & { readonly length: number }> {
  let left = excess;
  const cutPaths = new Set<string>();
  for (const { path, list } of lists) {
    if (left <= 0) return;
    // The size of a list within a cut list is already counted.
    if (listParents(path).some((parent) => cutPaths.has(parent))) continue;
    const { length } = list;
    left -= cutList(list, left, newestLast?.test(path) === true);
    cutPaths.add(path);
    yield { path, list, length };
  }
}

/** Returns the paths of the members that contain a path, such as `a` and `a.b` for `a.b.c`. */
function listParents(path: string): string[] {
  const names = path.split('.');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('.'));
}

/** Removes elements from one end of a list. Returns the number of removed bytes. */
function cutList(list: unknown[], excess: number, keepsLast: boolean): number {
  const maxRemoved = Math.max(1, list.length - 1);
  let bytes = 0;
  let removed = 0;
  while (bytes < excess && removed < maxRemoved) {
    bytes += countEscapedBytes(list[keepsLast ? removed : list.length - 1 - removed]);
    removed += 1;
  }
  list.splice(keepsLast ? 0 : list.length - removed, removed);
  return bytes;
}

/** Deletes the largest members until `excess` bytes are removed. Returns their names. */
function deleteMembers(body: Record<string, unknown>, excess: number): readonly string[] {
  const members = Object.entries(body)
    .map(([name, value]) => ({ name, bytes: countEscapedBytes([name, value]) }))
    .toSorted((one, other) => other.bytes - one.bytes);
  const deleted: string[] = [];
  let left = excess;
  for (const { name, bytes } of members) {
    if (left <= 0) break;
    Reflect.deleteProperty(body, name);
    deleted.push(name);
    left -= bytes;
  }
  return deleted;
}

const isShort = (name: string): boolean => name.length <= MAX_NAME_CHARS;

function describeLists(cuts: readonly Cut[]): string[] {
  const named = cuts.filter(({ path }) => isShort(path)).slice(0, MAX_NAMED);
  const others = cuts.length - named.length;
  return [
    ...named.map(
      ({ path, list, length, keepsLast }) =>
        `\`${path}\` has the ${keepsLast ? 'last' : 'first'} ${String(list.length)} of ${String(length)}.`,
    ),
    ...(others === 0 ? [] : [`${String(others)} other ${others === 1 ? 'list is' : 'lists are'} cut.`]),
  ];
}

function describeMembers(names: readonly string[]): string[] {
  if (names.length <= MAX_NAMED && names.every(isShort))
    return names.map((name) => `\`${name}\` is left out.`);
  return [`${String(names.length)} ${names.length === 1 ? 'member is' : 'members are'} left out.`];
}
