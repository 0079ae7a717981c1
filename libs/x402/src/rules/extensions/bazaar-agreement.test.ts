import { isJsonObject } from '@touchstone/common';
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
import { isRouteTemplate } from '../../challenge/bazaar-extension.ts';
import { readChallenge } from '../../read-challenge.ts';
import { definesProperty } from '../../schema/schema-faults.ts';
import { v2Envelope, v2Response, type JsonObject } from '../../testing/fixtures.ts';

/** Returns true when both validators of the reference package `@x402/extensions` accept the extension. */
function isValidToReference(extension: unknown): boolean {
  // The cast is needed, because the functions have typed parameters and the tests pass values of any type.
  const given = extension as DiscoveryExtension & JsonObject;
  return validateDiscoveryExtensionSpec(given).valid && validateDiscoveryExtension(given).valid;
}

/**
 * Returns the ids of our discovery rules that failed with severity `error`. Returns null if no rule failed and our
 * validator could not evaluate the schema.
 */
function findOurFaults(extension: unknown): string[] | null {
  const { checks } = readChallenge(v2Response(v2Envelope({ extensions: { bazaar: extension } })));
  const ours = checks.filter(({ id }) => id.startsWith('bazaar-') && id !== 'bazaar-route-template');
  const errors = ours.filter(({ result, severity }) => result === 'fail' && severity === 'error');
  const decided = ours.some(({ id, result }) => id === 'bazaar-info-validates' && result !== 'skip');
  return errors.length === 0 && !decided ? null : errors.map(({ id }) => id);
}

/**
 * Creates a discovery extension with the reference package. If `method` is given, it is added to the extension, as the
 * reference server adds it to a response.
 */
function declare(config: DeclareDiscoveryExtensionInput, method?: string): JsonObject {
  const { bazaar } = structuredClone(declareDiscoveryExtension(config));
  const declared: JsonObject = JSON.parse(JSON.stringify(bazaar)) as JsonObject;
  if (method !== undefined) replaceAt(declared, ['info', 'input', 'method'], method);
  return declared;
}

const EXAMPLE = { celsius: 21, places: [{ name: 'Bern' }] };
const DECLARED: readonly JsonObject[] = [
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

function listPaths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([name, child]) => listPaths(child, [...path, name]));
  return path.length === 0 ? below : [path, ...below];
}

const REPLACEMENTS: readonly unknown[] = [
  ...[undefined, null, true, false, 0, -1, 1.5, 7, '', 'http', 'mcp', 'GET', 'get', 'POST', 'json', 'xml'],
  ...['sse', 'string', 'integer', 'null', 'any', 'Bern', [], {}, ['type'], ['type', 'type']],
  ...[['string', 'null'], [7]],
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
      const paths = listPaths(extension);
      replaceAt(extension, paths[at % paths.length] ?? [], structuredClone(value));
    }
    // The conversion to JSON and back removes undefined members. Sending an extension over the network has the same
    // effect.
    return JSON.parse(JSON.stringify(extension)) as JsonObject;
  });

/**
 * Returns true when our rules differ from the reference package on purpose. Tests below cover each of these
 * differences.
 */
function isIntendedDifference(extension: JsonObject, faults: readonly string[]): boolean {
  const { info, schema } = extension;
  const input = isJsonObject(info) ? (Object(Reflect.get(info, 'input')) as JsonObject) : {};
  return (
    typeof schema === 'boolean' ||
    (isJsonObject(schema) && !definesProperty(schema, 'input')) ||
    (faults.includes('bazaar-method') && input['method'] === undefined) ||
    Array.isArray(input['inputSchema'])
  );
}

const GET = { type: 'http', method: 'GET' };
/** Schema that rejects every input with an upper-case HTTP method, such as GET. */
const NEVER = { properties: { method: { pattern: '^[a-z]+$' } } };
const SCHEMA = { properties: { input: {} } };

describe('the reference package', () => {
  beforeAll(() => {
    // Silences the warnings that the reference validator logs about unknown formats.
    vi.spyOn(console, 'warn').mockReturnValue();
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  test('accepts its own declarations, and so do our rules', () => {
    for (const declared of DECLARED) {
      const local = JSON.stringify(declared).includes('#/$defs/place');
      expect(isValidToReference(declared)).toBe(!local);
      // The reference package nests the seller's schema in a larger schema, so the JSON Pointer `#/$defs/place` has no
      // target.
      expect(findOurFaults(declared)).toEqual(local ? ['bazaar-schema-local-refs'] : []);
    }
  });

  test('agrees with our rules on changed declarations', () => {
    fc.assert(
      fc.property(Mutated, (extension) => {
        const faults = findOurFaults(extension);
        if (faults === null || isIntendedDifference(extension, faults)) return;
        expect([faults, faults.length === 0]).toEqual([faults, isValidToReference(extension)]);
      }),
      { numRuns: 100 },
    );
  });

  test.each<[string, JsonObject, string[], boolean]>([
    // The specification requires that `schema` is an object. The reference validator also accepts `true`.
    ['true as schema', { ...DECLARED[0], schema: true }, ['bazaar-schema'], true],
    // The reference validator accepts an input without a method, because the reference server adds the method when it
    // responds. The specification requires the method in a response.
    ['no method', { info: { input: { type: 'http' } }, schema: SCHEMA }, ['bazaar-method'], true],
    // Our rules accept `tool` as the tool name: an early version of the specification used it, and directories list it.
    [
      'the member tool',
      { info: { input: { type: 'mcp', tool: 'weather', inputSchema: {} } }, schema: SCHEMA },
      [],
      false,
    ],
    // Our rules reject a list as input schema. The reference validator accepts it, because a JavaScript array is an
    // object.
    [
      'a list as input schema',
      { info: { input: { type: 'mcp', toolName: 'weather', inputSchema: [] } }, schema: SCHEMA },
      ['bazaar-mcp'],
      true,
    ],
    // The specification requires that the schema describes `input`. The reference validator accepts a schema without
    // `input`.
    ['an empty schema', { info: { input: GET }, schema: {} }, ['bazaar-schema'], true],
  ])('intentionally differs from our rules on %s', (...[, extension, faults, isValid]) => {
    expect(findOurFaults(extension)).toEqual(faults);
    expect(isValidToReference(extension)).toBe(isValid);
  });

  test.each([
    ['recursive', { ...SCHEMA, $ref: '#' }, false],
    ['with an anchor', { ...SCHEMA, $defs: { any: { $anchor: 'any' } }, $ref: '#any' }, true],
    // Our validator does not run untrusted regular expressions, because they may take exponential time.
    ['with a pattern', { properties: { input: NEVER } }, false],
    ['with a pattern for names', { ...SCHEMA, patternProperties: { '^in': false } }, false],
    ['with a pattern where it tightens', { ...SCHEMA, not: { properties: { input: NEVER } } }, true],
    // The reference validator for JavaScript ignores `format`. The reference validator for Go checks `format`.
    ['with a format', { properties: { input: { properties: { method: { format: 'uri' } } } } }, true],
  ])('decides by a schema %s, and our rules skip it', (...[, schema, isValid]) => {
    expect(findOurFaults({ info: { input: GET }, schema })).toBeNull();
    expect(isValidToReference({ info: { input: GET }, schema })).toBe(isValid);
  });
});

const Piece = fc.constantFrom(
  ...['/', ':', '.', '..', '~', '-', '_', '%', '%2e', '%2F', '%252e'],
  ...['users', 'id', ' ', 'é', '?', '://'],
);

test('accepts the same route templates as the reference package', () => {
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
