import type { ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { TRUST_REPORT_EXAMPLE } from './examples/trust-report.ts';
import { jsonSchemaAt, jsonSchemaOf, schemaUrl } from './json-schema.ts';
import { SCHEMAS, type SchemaName } from './schemas.ts';
import { strictAjv } from './test-ajv.ts';
import { trustReportSchema, type TrustReport } from './trust-report.ts';

const BASE = 'https://touchstone.example';
const names = Object.keys(SCHEMAS) as SchemaName[];
/** The protocol lets a challenge carry more than it names. */
const OPEN: readonly SchemaName[] = ['payment-required', 'x402-trust-preview-request'];

function compile(name: SchemaName): ValidateFunction {
  return strictAjv().compile(jsonSchemaOf(name, BASE));
}

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Paths of the properties of a schema that say nothing of themselves. */
function undescribed(schema: unknown, path = '$'): string[] {
  if (!isNode(schema)) return [];
  const properties = isNode(schema['properties']) ? schema['properties'] : {};
  const silent = Object.entries(properties).filter(
    ([, property]) => !isNode(property) || typeof property['description'] !== 'string',
  );
  const children = Object.entries(schema).filter(([name]) => name !== 'properties');
  return [
    ...silent.map(([name]) => `${path}.${name}`),
    ...Object.entries(properties).flatMap(([name, property]) => undescribed(property, `${path}.${name}`)),
    ...children.flatMap(([name, child]) => undescribed(child, `${path}/${name}`)),
  ];
}

/** Objects of a schema that take names it does not know. */
function open(schema: unknown, path = '$'): string[] {
  if (!isNode(schema)) return [];
  const isOpen = isNode(schema['properties']) && schema['additionalProperties'] !== false;
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries(schema).flatMap(([name, child]) => open(child, `${path}/${name}`)),
  ];
}

describe.each(names)('the JSON Schema %s', (name) => {
  const schema = jsonSchemaOf(name, BASE);

  it('compiles in strict mode, under its canonical address', () => {
    expect(() => compile(name)).not.toThrow();
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: schemaUrl(name, BASE),
    });
  });

  it('describes every field and is closed everywhere', () => {
    const described = { ...schema, examples: [] };
    expect(undescribed(described)).toEqual([]);
    expect(open(described).length > 0).toBe(OPEN.includes(name));
  });

  it('takes its example, as the schema it is made from does', () => {
    const validate = compile(name);
    const { examples } = schema as { readonly examples: readonly unknown[] };
    expect(examples).toEqual([SCHEMAS[name].example]);
    expect([validate(examples[0]), validate.errors]).toEqual([true, null]);
    expect(SCHEMAS[name].schema.parse(examples[0])).toEqual(examples[0]);
  });

  it('is served at its path, and nowhere else', () => {
    expect(jsonSchemaAt(new URL(schemaUrl(name, BASE)).pathname, BASE)).toEqual(schema);
    expect(jsonSchemaAt(`${SCHEMAS[name].path}/`, BASE)).toBeNull();
    expect(jsonSchemaAt('/schemas/__proto__', BASE)).toBeNull();
  });
});

function sampleReport(change: Partial<TrustReport> = {}): TrustReport {
  return { ...TRUST_REPORT_EXAMPLE, ...change };
}

/** The report with one member of one object changed or left out. */
function withMember(path: readonly string[], value: unknown): unknown {
  const copy: unknown = structuredClone(sampleReport());
  let parent = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return copy;
}

describe('the trust report', () => {
  const validate = compile('x402-trust');

  it('names as its schema what is its canonical address', () => {
    expect(schemaUrl('x402-trust', BASE)).toBe(sampleReport().$schema);
    expect(schemaUrl('x402-trust', `${BASE}/below/`)).toBe(sampleReport().$schema);
  });

  it('is taken by both schemas', () => {
    expect([validate(sampleReport()), validate.errors]).toEqual([true, null]);
    expect(trustReportSchema.parse(sampleReport())).toEqual(sampleReport());
  });

  it('may be without what was not measured', () => {
    const bare = sampleReport({
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

  it('may name who is paid where no chain was read', () => {
    const unread = sampleReport({
      settlement: {
        ...{ payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C', network: 'eip155:8453', sharedWith: [] },
        ...{ volumeUsd30d: null, settlements30d: null, payers30d: null, topPayerShare: null },
        ...{ lastSettledAt: null, throughBlock: null, partial: null, wallets: [] },
      },
    });
    expect([validate(unread), validate.errors]).toEqual([true, null]);
    expect(trustReportSchema.parse(unread)).toEqual(unread);
  });

  it.each(Object.keys(sampleReport()))('misses %s where it is left out', (name) => {
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
  ])('is refused by both with another %s (%#)', (path, value) => {
    const changed = withMember(path.split('.'), value);
    expect([validate(changed), trustReportSchema.safeParse(changed).success]).toEqual([false, false]);
  });
});
