import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonViolation, findDuplicateMember } from './strict-json.ts';

type Node =
  | string
  | number
  | boolean
  | null
  | readonly Node[]
  | { readonly members: readonly (readonly [string, Node])[] };

/** Generator of JSON syntax trees. Unlike a JavaScript object, a tree can contain the same member name twice. */
const nodes = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.constantFrom('', '"', '\\', ',{"a":1', 'a'), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.record({
      members: fc.array(
        fc.tuple(fc.constantFrom('a', 'b', '"', '\\', '__proto__', '\uD800', 'a,'), tie('node')),
        {
          maxLength: 4,
        },
      ),
    }),
  ),
})).node;

/** Serializes a syntax tree as JSON. If `escape` is true, every second member name is written as \uXXXX escapes. */
function write(node: Node, escape: boolean): string {
  if (node === null || typeof node !== 'object') return JSON.stringify(node);
  if (!('members' in node)) return `[${node.map((element) => write(element, escape)).join(' , ')}]`;
  const members = node.members.map(([name, value], at) => {
    const isEscaped = escape && at % 2 === 1;
    return `${isEscaped ? escaped(name) : JSON.stringify(name)}: ${write(value, escape)}`;
  });
  return `{ ${members.join(',')} }`;
}

function escaped(name: string): string {
  return `"${name
    .split('')
    .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')}"`;
}

/** Reference implementation of the search for duplicate names. It reads the syntax tree, not the JSON text. */
function hasDuplicateName(node: Node): boolean {
  if (node === null || typeof node !== 'object') return false;
  if (!('members' in node)) return node.some(hasDuplicateName);
  const names = node.members.map(([name]) => name);
  return new Set(names).size < names.length || node.members.some(([, value]) => hasDuplicateName(value));
}

describe('findDuplicateMember', () => {
  test.each([
    ['{}', null],
    ['"a"', null],
    ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', null],
    ['{"a":"b","b":"a"}', null],
    ['["a","a"]', null],
    ['{"a":1,"a":1}', ['a']],
    [String.raw`{"a":1,"\u0061":2}`, ['a']],
    [String.raw`{"x":[{"\"":1},[{"\"":1,"\u0022":2}]]}`, ['x', 1, 0, '"']],
    ['{"a":[{},{}],"b":{},"a":0}', ['a']],
    ['{"a":{"b":[1,2]},"c":[[3,4],{"d":{"e":1,"e":2}}]}', ['c', 1, 'd', 'e']],
    ['{"__proto__":1,"constructor":2}', null],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    [String.raw`{"\ud800":1,"\ud801":2}`, null],
    [String.raw`{"\ud83d\ude00":1,"😀":2}`, ['😀']],
    ['{"":1,"":2}', ['']],
  ])('%s: %s', (text, path) => {
    expect(findDuplicateMember(text)).toEqual(path);
  });

  test('finds a duplicate exactly when the reference implementation does', () => {
    fc.assert(
      fc.property(nodes, fc.boolean(), (node, escape) => {
        const text = write(node, escape);
        JSON.parse(text);
        expect(findDuplicateMember(text) !== null).toBe(hasDuplicateName(node));
      }),
      { numRuns: 1_000 },
    );
  });

  test('finds no duplicate in the JSON of any JavaScript value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(findDuplicateMember(JSON.stringify(value))).toBeNull();
      }),
    );
  });

  test('handles deep, long and invalid text', () => {
    expect(findDuplicateMember(`${'['.repeat(100_000)}{"a":1,"a":2}`)).toHaveLength(100_001);
    expect(findDuplicateMember(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toBeNull();
    expect(findDuplicateMember(`{"${'\\\\'.repeat(1_000_000)}":1}`)).toBeNull();
    const many = Array.from({ length: 100_000 }, (_, at) => `"${String(at)}":0`).join(',');
    expect(findDuplicateMember(`{${many}}`)).toBeNull();
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', 'u', 'a') }),
        (text) => {
          findDuplicateMember(text);
          findJsonViolation(text);
        },
      ),
    );
  });
});

describe('findJsonViolation', () => {
  test.each([
    ['{"amount":NaN}', 'NaN'],
    ['{"amount":-Infinity}', 'Infinity'],
    [' {"a":1, /* price */ "b":2}', 'a comment'],
    ['{"a":1} // price', 'a comment'],
    ['{"a":[1, 2,\n ]}', 'a trailing comma'],
    ['{"a":"NaN, Infinity // ,]",}', 'a trailing comma'],
    [String.raw`{"a":"\",}"}x`, null],
    ['{"a":1', null],
    ['{"a":"NaN', null],
    ["{'a':1}", null],
    ['{"a":1/2}', null],
    ['{"a":1}/', null],
    ['NaN', null],
    ['see https://a.example', null],
    ['', null],
  ])('%s: %s', (text, violation) => {
    expect(findJsonViolation(text)).toBe(violation);
  });

  test('finds no violation in valid JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(findJsonViolation(JSON.stringify({ value }, null, 2))).toBeNull();
      }),
    );
  });

  test('takes time linear in the length of the text', () => {
    expect(findJsonViolation(`{${'"a" '.repeat(1_000_000)}`)).toBeNull();
    expect(findJsonViolation(`{${' '.repeat(1_000_000)},${' '.repeat(1_000_000)}]`)).toBe('a trailing comma');
  });
});
