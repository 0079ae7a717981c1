import { describe, expect, it } from 'vitest';
import { TRUST_REPORT_EXAMPLE as report } from '../operations/trust-report/report-schema.ts';
import { findJsonSchemaText, createJsonSchema } from './json-schemas.ts';
import { toSchemaPath, toSchemaUrl } from '../shared/json-schema.ts';
import { SCHEMAS, type SchemaName } from '../operations/operations.ts';
import { BASE, createCheck } from '../testing/schema-checks.ts';

const names = Object.keys(SCHEMAS) as SchemaName[];
/**
 * Names of the schemas that allow unknown members. x402 allows extensions of a challenge, and the service ignores the
 * request body of the preview.
 */
const OPEN_SCHEMAS: readonly SchemaName[] = [
  'payment-required',
  'payment-required-v1',
  'x402-trust-preview-request',
];

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Lists the properties in a schema that have no description. */
function listUndescribed(schema: unknown, path = '$'): string[] {
  if (!isNode(schema)) return [];
  const properties = isNode(schema['properties']) ? schema['properties'] : {};
  const undescribed = Object.entries(properties).filter(
    ([, property]) => !isNode(property) || typeof property['description'] !== 'string',
  );
  const children = Object.entries(schema).filter(([name]) => name !== 'properties');
  return [
    ...undescribed.map(([name]) => `${path}.${name}`),
    ...Object.entries(properties).flatMap(([name, property]) => listUndescribed(property, `${path}.${name}`)),
    ...children.flatMap(([name, child]) => listUndescribed(child, `${path}/${name}`)),
  ];
}

function listOpenObjects(schema: unknown, path = '$'): string[] {
  if (!isNode(schema)) return [];
  const isOpen = isNode(schema['properties']) && schema['additionalProperties'] !== false;
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries(schema).flatMap(([name, child]) => listOpenObjects(child, `${path}/${name}`)),
  ];
}

describe.each(names)('the JSON Schema %s', (name) => {
  const schema = createJsonSchema(name, BASE);

  it('describes every field and allows no unknown ones', () => {
    const described = { ...schema, examples: [] };
    expect(listUndescribed(described)).toEqual([]);
    expect(listOpenObjects(described).length > 0).toBe(OPEN_SCHEMAS.includes(name));
  });

  it('has its canonical URL, compiles in strict mode, and accepts its example like the zod schema', () => {
    const { example } = SCHEMAS[name];
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: toSchemaUrl(name, BASE),
      examples: [example],
    });
    expect(createCheck(name)(example)).toBe(true);
    expect(SCHEMAS[name].schema.parse(example)).toEqual(example);
  });

  it('is found at its exact path', () => {
    const text = findJsonSchemaText(new URL(toSchemaUrl(name, BASE)).pathname, BASE);
    expect(text).toBe(JSON.stringify(schema));
    expect(findJsonSchemaText(`${toSchemaPath(name)}/`, BASE)).toBeNull();
    expect(findJsonSchemaText('/schemas/__proto__', BASE)).toBeNull();
  });
});

/** Returns the example report with one changed member. The member is removed when the value is undefined. */
function withMember(path: readonly string[], value: unknown): unknown {
  const copy: unknown = structuredClone(report);
  let parent = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return copy;
}

describe('the trust report', () => {
  const accepts = createCheck('x402-trust');

  it('has the canonical URL of its schema', () => {
    expect(toSchemaUrl('x402-trust', `${BASE}/below/`)).toBe(report.$schema);
  });

  it('has an example of less than 8,000 bytes', () => {
    expect(new TextEncoder().encode(JSON.stringify(report)).length).toBeLessThan(8_000);
  });

  it('accepts null for values that were not measured', () => {
    const bare = {
      ...{ serviceName: null, description: null, advertised: null, settlement: null },
      ...{ compliance: null, projection: null, signature: null },
    };
    expect(accepts({ ...report, ...bare })).toBe(true);
  });

  it('accepts a wallet whose settlements were not read', () => {
    const settlement = {
      ...{ payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C', network: 'eip155:8453', sharedWith: [] },
      ...{ volumeUsd30d: null, settlements30d: null, payers30d: null, topPayerShare: null },
      ...{ returnedUsd30d: null, repeatPayers30d: null, lastSettledAt: null, throughBlock: null },
      ...{ partial: null, returnedBy: [], wallets: [] },
    };
    expect(accepts({ ...report, settlement })).toBe(true);
  });

  it.each(Object.keys(report))('requires %s', (name) => {
    expect(accepts(withMember([name], undefined))).toBe(false);
  });

  it.each<readonly [string, unknown]>([
    ['score', 100.1],
    ['score', '64'],
    ['grade', 'E'],
    ['schemaVersion', '2.0.0'],
    ['schemaType', 'x402-history'],
    ['generatedAt', '2026-06-01'],
    ['generatedAt', '2026-06-01T00:00:00+02:00'],
    ['generatedAt', '2026-13-01T00:00:00.000Z'],
    ['endpointPage', 'javascript:alert(1)'],
    ['$schema', 'no address'],
    ['confidence', 1.01],
    ['hidden', 'more'],
    ['flags.Not A Slug', { severity: 'error', message: '', evidence: {}, since: null }],
    ['flags.slow', { severity: 'info', message: '', evidence: {}, since: null }],
    ['flags.slow', { severity: 'error', message: '', evidence: { deep: {} }, since: null }],
    ['advertised.amount', '1e3'],
    ['advertised.amountUsd', '0.01'],
    ['advertised.amountUsd', 0.01],
    ['settlement.volumeUsd30d', '-1.000000'],
    ['settlement.topPayerShare', 1.5],
    ['stats.probes', 1.5],
    ['stats.probes', -1],
    ['stats.more', 1],
    ['breakdown.luck', 1],
    ['signature.algorithm', 'none'],
    ['signature.value', 'AAAA'],
    ['description', 'x'.repeat(2_001)],
  ])('refuses a wrong %s in both schemas (%#)', (path, value) => {
    expect(accepts(withMember(path.split('.'), value))).toBe(false);
  });
});
