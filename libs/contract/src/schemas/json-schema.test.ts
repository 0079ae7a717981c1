import type { ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { TRUST_REPORT_EXAMPLE } from '../examples/trust-report.ts';
import { findJsonSchema, createJsonSchema, toSchemaUrl } from './json-schema.ts';
import { SCHEMAS, type SchemaName } from './schemas.ts';
import { createStrictAjv } from '../testing/strict-ajv.ts';
import { trustReportSchema, type TrustReport } from '../responses/trust-report.ts';

const BASE = 'https://touchstone.example';
const names = Object.keys(SCHEMAS) as SchemaName[];
/**
 * Names of the schemas that allow unknown members: a challenge, because x402 allows extensions of it, and the request
 * body of the preview, which is ignored.
 */
const OPEN_SCHEMAS: readonly SchemaName[] = ['payment-required', 'x402-trust-preview-request'];

function compile(name: SchemaName): ValidateFunction {
  return createStrictAjv().compile(createJsonSchema(name, BASE));
}

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

/** Lists the objects in a schema that allow unknown properties. */
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

  it('compiles in strict mode and has its canonical URL', () => {
    expect(() => compile(name)).not.toThrow();
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: toSchemaUrl(name, BASE),
    });
  });

  it('describes every field and allows no unknown ones', () => {
    const described = { ...schema, examples: [] };
    expect(listUndescribed(described)).toEqual([]);
    expect(listOpenObjects(described).length > 0).toBe(OPEN_SCHEMAS.includes(name));
  });

  it('accepts its example, like the zod schema', () => {
    const validate = compile(name);
    const { examples } = schema as { readonly examples: readonly unknown[] };
    expect(examples).toEqual([SCHEMAS[name].example]);
    expect([validate(examples[0]), validate.errors]).toEqual([true, null]);
    expect(SCHEMAS[name].schema.parse(examples[0])).toEqual(examples[0]);
  });

  it('is found at its exact path', () => {
    expect(findJsonSchema(new URL(toSchemaUrl(name, BASE)).pathname, BASE)).toEqual(schema);
    expect(findJsonSchema(`${SCHEMAS[name].path}/`, BASE)).toBeNull();
    expect(findJsonSchema('/schemas/__proto__', BASE)).toBeNull();
  });
});

function createReport(change: Partial<TrustReport> = {}): TrustReport {
  return { ...TRUST_REPORT_EXAMPLE, ...change };
}

/** Returns the example report with one changed member. The member is removed when the value is undefined. */
function withMember(path: readonly string[], value: unknown): unknown {
  const copy: unknown = structuredClone(createReport());
  let parent = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return copy;
}

describe('the trust report', () => {
  const validate = compile('x402-trust');

  it('has the canonical URL of its schema', () => {
    expect(toSchemaUrl('x402-trust', BASE)).toBe(createReport().$schema);
    expect(toSchemaUrl('x402-trust', `${BASE}/below/`)).toBe(createReport().$schema);
  });

  it('is accepted by both schemas', () => {
    expect([validate(createReport()), validate.errors]).toEqual([true, null]);
    expect(trustReportSchema.parse(createReport())).toEqual(createReport());
  });

  it('accepts null for values that were not measured', () => {
    const bare = createReport({
      serviceName: null,
      description: null,
      advertised: null,
      settlement: null,
      compliance: null,
      projection: null,
      signature: null,
    });
    expect([validate(bare), validate.errors]).toEqual([true, null]);
    expect(trustReportSchema.safeParse(bare).success).toBe(true);
  });

  it('accepts a wallet whose settlements were not read', () => {
    const unread = createReport({
      settlement: {
        ...{ payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C', network: 'eip155:8453', sharedWith: [] },
        ...{ volumeUsd30d: null, settlements30d: null, payers30d: null, topPayerShare: null },
        ...{ lastSettledAt: null, throughBlock: null, partial: null, wallets: [] },
      },
    });
    expect([validate(unread), validate.errors]).toEqual([true, null]);
    expect(trustReportSchema.parse(unread)).toEqual(unread);
  });

  it.each(Object.keys(createReport()))('requires %s', (name) => {
    const cut = withMember([name], undefined);
    expect([validate(cut), trustReportSchema.safeParse(cut).success]).toEqual([false, false]);
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
    const changed = withMember(path.split('.'), value);
    expect([validate(changed), trustReportSchema.safeParse(changed).success]).toEqual([false, false]);
  });
});
