import {
  declareDiscoveryExtension,
  isValidRouteTemplate,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
  type DeclareDiscoveryExtensionInput,
  type DiscoveryExtension,
} from '@x402/extensions/bazaar';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isRouteTemplate } from '../bazaar.ts';
import { isObject } from '../is-object.ts';
import { readChallenge } from '../read-challenge.ts';
import { definesProperty } from '../schema/defines-property.ts';
import { v2Envelope, v2Response, type Bag } from '../testing/fixtures.ts';

/** What the reference package, as facilitators run it, says of an extension. */
function isValidToThem(extension: unknown): boolean {
  // The package types what it is given, and is asked here about what is nothing of the kind.
  const given = extension as DiscoveryExtension & Bag;
  return validateDiscoveryExtensionSpec(given).valid && validateDiscoveryExtension(given).valid;
}

/** Our verdict: ids of the rules that failed as errors, or null when the schema was too much to decide by. */
function faultsToUs(extension: unknown): string[] | null {
  const { checks } = readChallenge(v2Response(v2Envelope({ extensions: { bazaar: extension } })));
  const ours = checks.filter(({ id }) => id.startsWith('bazaar-') && id !== 'bazaar-route-template');
  const errors = ours.filter(({ result, severity }) => result === 'fail' && severity === 'error');
  const decided = ours.some(({ id, result }) => id === 'bazaar-info-validates' && result !== 'skip');
  return errors.length === 0 && !decided ? null : errors.map(({ id }) => id);
}

/** The method is what the reference server adds to a declaration when it answers. */
function declare(config: DeclareDiscoveryExtensionInput, method?: string): Bag {
  const { bazaar } = structuredClone(declareDiscoveryExtension(config));
  const declared: Bag = JSON.parse(JSON.stringify(bazaar)) as Bag;
  if (method !== undefined) replaceAt(declared, ['info', 'input', 'method'], method);
  return declared;
}

const EXAMPLE = { celsius: 21, places: [{ name: 'Bern' }] };
const DECLARED: readonly Bag[] = [
  declare({ input: { city: 'Bern' }, output: { example: EXAMPLE } }, 'GET'),
  declare(
    {
      input: { city: 'Bern', days: 3 },
      inputSchema: {
        properties: { city: { type: 'string', minLength: 1 }, days: { type: 'integer', maximum: 7 } },
        required: ['city'],
        additionalProperties: false,
      },
    },
    'DELETE',
  ),
  declare(
    {
      bodyType: 'json',
      input: { places: ['Bern', 'Basel'] },
      inputSchema: {
        $defs: { place: { type: 'string', maxLength: 60 } },
        type: 'object',
        properties: { places: { type: 'array', items: { $ref: '#/$defs/place' }, uniqueItems: true } },
      },
      output: { example: EXAMPLE, schema: { properties: { celsius: { type: 'number' } } } },
    },
    'POST',
  ),
  declare({
    toolName: 'weather',
    description: 'Weather by city',
    transport: 'sse',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    example: { city: 'Bern' },
  }),
];

function replaceAt(target: object, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    if (value === undefined) Reflect.deleteProperty(target, name);
    else Reflect.set(target, name, value);
    return;
  }
  const next: unknown = Reflect.get(target, name);
  if (typeof next === 'object' && next !== null) replaceAt(next, rest, value);
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([name, child]) => pathsOf(child, [...path, name]));
  return path.length === 0 ? below : [path, ...below];
}

const REPLACEMENTS: readonly unknown[] = [
  ...[
    undefined,
    null,
    true,
    false,
    0,
    -1,
    1.5,
    7,
    '',
    'http',
    'mcp',
    'GET',
    'get',
    'POST',
    'json',
    'xml',
    'sse',
  ],
  ...[
    'string',
    'integer',
    'null',
    'any',
    'Bern',
    [],
    {},
    ['type'],
    ['type', 'type'],
    ['string', 'null'],
    [7],
  ],
  ...[{ type: 'string' }, { type: 'any' }, { type: ['string', 'null'] }, { required: true }, { enum: [] }],
  ...[{ $ref: 'https://example.com/a.json' }, { $ref: '#/nowhere' }, { $ref: '#/properties' }, { $ref: 7 }],
  ...[{ const: 'http' }, { not: {} }, { anyOf: [{ type: 'string' }, { type: 'object' }] }, { oneOf: [] }],
  ...[{ minLength: -1 }, { maximum: '7' }, { items: [{}] }, { format: 'uri' }, { allOf: [false] }],
  ...[{ examples: 'Bern' }, { title: 7 }, { uniqueItems: 'yes' }, { dependentRequired: { city: ['days'] } }],
  ...[{ $schema: 'http://json-schema.org/draft-07/schema#' }, { unevaluatedProperties: false }],
  ...[{ pattern: '^Bern$' }, { pattern: '^bern$' }, { pattern: '(' }, { pattern: 7 }, { pattern: '\\-' }],
  ...[{ patternProperties: { '^c': { type: 'string' } } }, { patternProperties: { '^c': false } }],
  ...[{ patternProperties: { '[': {} } }, { type: 'string', pattern: '^B', format: 'uri' }],
];

const Mutation = fc.record({ at: fc.nat(10_000), value: fc.constantFrom(...REPLACEMENTS) });
const Mutated = fc
  .tuple(fc.constantFrom(...DECLARED), fc.array(Mutation, { minLength: 1, maxLength: 3 }))
  .map(([declared, mutations]) => {
    const extension = structuredClone(declared);
    for (const { at, value } of mutations) {
      const paths = pathsOf(extension);
      replaceAt(extension, paths[at % paths.length] ?? [], structuredClone(value));
    }
    // As it would come off the wire.
    return JSON.parse(JSON.stringify(extension)) as Bag;
  });

/** Where we mean to differ; each is shown by a test of its own below. */
function isDeliberate(extension: Bag, faults: readonly string[]): boolean {
  const { info, schema } = extension;
  const input = isObject(info) ? (Object(Reflect.get(info, 'input')) as Bag) : {};
  return (
    typeof schema === 'boolean' ||
    (isObject(schema) && !definesProperty(schema, 'input')) ||
    (faults.includes('bazaar-method') && input['method'] === undefined) ||
    Array.isArray(input['inputSchema'])
  );
}

const GET = { type: 'http', method: 'GET' };
/** Nothing that is an object with a method in lower case. */
const NEVER = { properties: { method: { pattern: '^[a-z]+$' } } };
const SCHEMA = { properties: { input: {} } };

describe('the reference package', () => {
  beforeAll(() => {
    // The validator behind it writes of formats it does not know.
    vi.spyOn(console, 'warn').mockReturnValue();
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  test('finds no fault in its own declarations, and neither do we', () => {
    for (const declared of DECLARED) {
      const local = JSON.stringify(declared).includes('#/$defs/place');
      expect(isValidToThem(declared)).toBe(!local);
      // A pointer counts from the root of the whole schema, not of the part the seller wrote.
      expect(faultsToUs(declared)).toEqual(local ? ['bazaar-schema-local-refs'] : []);
    }
  });

  test('agrees with us on changed declarations', () => {
    fc.assert(
      fc.property(Mutated, (extension) => {
        const faults = faultsToUs(extension);
        if (faults === null || isDeliberate(extension, faults)) return;
        expect([faults, faults.length === 0]).toEqual([faults, isValidToThem(extension)]);
      }),
      { numRuns: 100 },
    );
  });

  test.each<[string, Bag, string[], boolean]>([
    // The specification's table of extensions asks for an object; the validator takes true as well.
    ['a schema of true', { ...DECLARED[0], schema: true }, ['bazaar-schema'], true],
    // The package fills the method in when it declares; in an answer the specification requires it.
    ['no method', { info: { input: { type: 'http' } }, schema: SCHEMA }, ['bazaar-method'], true],
    // The specification first called the name of a tool so, and such tools are listed.
    [
      'a tool',
      { info: { input: { type: 'mcp', tool: 'weather', inputSchema: {} } }, schema: SCHEMA },
      [],
      false,
    ],
    // A schema is no list, but to JavaScript a list is an object.
    [
      'an input schema of a list',
      { info: { input: { type: 'mcp', toolName: 'weather', inputSchema: [] } }, schema: SCHEMA },
      ['bazaar-mcp'],
      true,
    ],
    // The specification requires a schema to define the input; the validator takes any schema.
    ['a schema of nothing', { info: { input: GET }, schema: {} }, ['bazaar-schema'], true],
  ])('differs from us on purpose about %s', (...[, extension, faults, isValid]) => {
    expect(faultsToUs(extension)).toEqual(faults);
    expect(isValidToThem(extension)).toBe(isValid);
  });

  test.each([
    ['recursive', { ...SCHEMA, $ref: '#' }, false],
    ['with an anchor', { ...SCHEMA, $defs: { any: { $anchor: 'any' } }, $ref: '#any' }, true],
    // A stranger's regular expression is not run.
    ['with a pattern', { properties: { input: NEVER } }, false],
    ['with a pattern for names', { ...SCHEMA, patternProperties: { '^in': false } }, false],
    ['with a pattern where it tightens', { ...SCHEMA, not: { properties: { input: NEVER } } }, true],
    // This validator passes over formats; that of the reference package in Go does not.
    ['with a format', { properties: { input: { properties: { method: { format: 'uri' } } } } }, true],
  ])('decides by a schema %s, and we do not', (...[, schema, isValid]) => {
    expect(faultsToUs({ info: { input: GET }, schema })).toBeNull();
    expect(isValidToThem({ info: { input: GET }, schema })).toBe(isValid);
  });
});

const Piece = fc.constantFrom(
  '/',
  ':',
  '.',
  '..',
  '~',
  '-',
  '_',
  '%',
  '%2e',
  '%2F',
  '%252e',
  'users',
  'id',
  ' ',
  'é',
  '?',
  '://',
);

test('route templates are the ones facilitators take', () => {
  fc.assert(
    fc.property(
      fc.array(Piece).map((pieces) => pieces.join('')),
      fc.boolean(),
      (text, rooted) => {
        const template = rooted ? `/${text}` : text;
        expect([template, isRouteTemplate(template)]).toEqual([template, isValidRouteTemplate(template)]);
      },
    ),
  );
});
