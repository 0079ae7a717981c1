import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLiberty, findRepeatedName } from './strict-json.ts';

type Node =
  | string
  | number
  | boolean
  | null
  | readonly Node[]
  | { readonly members: readonly (readonly [string, Node])[] };

/** JSON that may have a name twice, as no value of the language can. */
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

/** Every name escaped to its code units, or left to the usual writer. */
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

/** The plain way, on the tree and not on the text. */
function repeats(node: Node): boolean {
  if (node === null || typeof node !== 'object') return false;
  if (!('members' in node)) return node.some(repeats);
  const names = node.members.map(([name]) => name);
  return new Set(names).size < names.length || node.members.some(([, value]) => repeats(value));
}

describe('findRepeatedName', () => {
  test.each([
    ['{}', null],
    ['"a"', null],
    ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', null],
    ['{"a":"b","b":"a"}', null],
    ['["a","a"]', null],
    ['{"a":1,"a":1}', 'a'],
    [String.raw`{"a":1,"\u0061":2}`, 'a'],
    [String.raw`{"x":[{"\"":1},[{"\"":1,"\u0022":2}]]}`, '"'],
    ['{"a":[{},{}],"b":{},"a":0}', 'a'],
    ['{"__proto__":1,"constructor":2}', null],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    [String.raw`{"\ud800":1,"\ud801":2}`, null],
    [String.raw`{"\ud83d\ude00":1,"😀":2}`, '😀'],
    ['{"":1,"":2}', ''],
  ])('%s: %s', (text, name) => {
    expect(findRepeatedName(text)).toBe(name);
  });

  test('finds on the text what the plain way finds on the tree', () => {
    fc.assert(
      fc.property(nodes, fc.boolean(), (node, escape) => {
        const text = write(node, escape);
        JSON.parse(text);
        expect(findRepeatedName(text) !== null).toBe(repeats(node));
      }),
      { numRuns: 1_000 },
    );
  });

  test('finds nothing in what one value of the language is written as', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(findRepeatedName(JSON.stringify(value))).toBeNull();
      }),
    );
  });

  test('is not hurt by depth, length or text that is no JSON', () => {
    expect(findRepeatedName(`${'['.repeat(100_000)}{"a":1,"a":2}`)).toBe('a');
    expect(findRepeatedName(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toBeNull();
    expect(findRepeatedName(`{"${'\\\\'.repeat(1_000_000)}":1}`)).toBeNull();
    const many = Array.from({ length: 100_000 }, (_, at) => `"${String(at)}":0`).join(',');
    expect(findRepeatedName(`{${many}}`)).toBeNull();
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', 'u', 'a') }),
        (text) => {
          findRepeatedName(text);
          findLiberty(text);
        },
      ),
    );
  });
});

describe('findLiberty', () => {
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
  ])('%s: %s', (text, liberty) => {
    expect(findLiberty(text)).toBe(liberty);
  });

  test('finds none in JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(findLiberty(JSON.stringify({ value }, null, 2))).toBeNull();
      }),
    );
  });

  test('takes time in proportion to the text', () => {
    expect(findLiberty(`{${'"a" '.repeat(1_000_000)}`)).toBeNull();
    expect(findLiberty(`{${' '.repeat(1_000_000)},${' '.repeat(1_000_000)}]`)).toBe('a trailing comma');
  });
});
