import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../operations.ts';
import { PROBLEMS } from '../problem.ts';
import { SCHEMAS } from '../schemas.ts';
import { strictAjv } from '../test-ajv.ts';
import { openApiDocument } from './openapi-document.ts';

const BASE = 'https://touchstone.example';
const document = openApiDocument(BASE, { network: 'eip155:8453' });

const content = z.record(
  z.string(),
  z.looseObject({
    schema: z.record(z.string(), z.unknown()),
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
  }),
);
const operationShape = z.looseObject({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  requestBody: z.looseObject({ content }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ headers: z.record(z.string(), z.unknown()).optional(), content: content.default({}) }),
  ),
});
const { paths, components } = z
  .looseObject({
    paths: z.record(z.string(), z.record(z.string(), operationShape)),
    components: z.looseObject({
      schemas: z.record(z.string(), z.looseObject({ examples: z.array(z.unknown()) })),
    }),
  })
  .parse(document);

const published = OPERATIONS.map((operation) => {
  const found = paths[operation.path]?.[operation.method.toLowerCase()];
  if (found === undefined) throw new Error(`${operation.id} is not in the document`);
  return { operation, found };
});

const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const require = createRequire(import.meta.url);
const cli = require.resolve('@redocly/cli/bin/cli.js');
const verdictSchema = z.object({
  totals: z.object({ errors: z.number(), warnings: z.number(), ignored: z.number() }),
  problems: z.array(z.looseObject({ ruleId: z.string(), message: z.string() })),
});

/** What the recommended rules of Redocly say of a document. */
function redocly(value: unknown): z.infer<typeof verdictSchema> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(value));
  const { stdout } = spawnSync(
    process.execPath,
    [cli, 'lint', file, '--extends', 'recommended', '--format', 'json'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  return verdictSchema.parse(JSON.parse(stdout));
}

const ajv = strictAjv();
/** The document's schemas, at a place that JSON Schema knows. */
ajv.addSchema(moved({ $id: 'document:', $defs: components.schemas }));

function moved(schema: object): Record<string, unknown> {
  const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document:#/$defs/');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

/** Compiles a schema of the document with everything it refers to. */
function compile(schema: object): ValidateFunction {
  return ajv.compile(moved(schema));
}

describe('the OpenAPI document', () => {
  it('keeps the recommended rules, without a warning and without exceptions', () => {
    expect(redocly(document)).toEqual({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
  });

  it('would not without a license', () => {
    const broken = structuredClone(document) as { info: { license?: unknown } };
    delete broken.info.license;
    expect(redocly(broken).problems).toMatchObject([{ ruleId: 'info-license' }]);
  });

  it('says what it is, and where it is served', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Touchstone', version: '2.0.0', license: { identifier: 'MIT' } },
      servers: [{ url: BASE }],
    });
    expect(openApiDocument('http://localhost:3000/below?x', { network: 'x' })['servers']).toMatchObject([
      { url: 'http://localhost:3000' },
    ]);
  });

  it('names no price where nothing is sold, and says so', () => {
    const closed = openApiDocument(BASE, { network: 'eip155:8453', sold: false });
    expect(redocly(closed).totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
    expect(JSON.stringify(closed)).toContain('Nothing is sold here at present');
    expect(JSON.stringify(closed)).not.toContain('x-payment-info');
    expect(JSON.stringify(document)).not.toContain('Nothing is sold here at present');
  });

  it('has every operation and no other', () => {
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('has every published schema with its example', () => {
    expect(Object.keys(components.schemas).sort()).toEqual(
      Object.values(SCHEMAS)
        .map(({ component }) => component)
        .sort(),
    );
    for (const [name, { examples }] of Object.entries(components.schemas)) {
      const validate = compile({ $ref: `#/components/schemas/${name}` });
      expect([name, validate(examples[0]), validate.errors]).toEqual([name, true, null]);
    }
  });
});

describe.each(published)('$operation.method $operation.path', ({ operation, found }) => {
  it('shows examples that its schemas take, and nothing else beside them', () => {
    const bodies = [
      found.requestBody?.content ?? {},
      ...Object.values(found.responses).map(({ content: c }) => c),
    ];
    const shown = bodies.flatMap((body) =>
      Object.entries(body).flatMap(([type, { schema, example, examples }]) =>
        type === 'text/html'
          ? []
          : [example, ...Object.values(examples ?? {}).map(({ value }) => value)].flatMap((value) =>
              value === undefined ? [] : [{ schema, value }],
            ),
      ),
    );
    expect(shown.length).toBeGreaterThan(operation.problems.length);
    for (const { schema, value } of shown) {
      const validate = compile(schema);
      expect([validate(value), validate.errors]).toEqual([true, null]);
    }
  });

  it('has its price, its challenge and its receipt where it is paid, and nothing of the kind where it is not', () => {
    const { priceUsd } = operation;
    const isPaid = priceUsd !== null;
    expect(found['x-payment-info']).toEqual(
      isPaid
        ? {
            price: { mode: 'fixed', currency: 'USD', amount: priceUsd },
            protocols: [{ x402: { version: 2, scheme: 'exact', network: 'eip155:8453', asset: 'USDC' } }],
          }
        : undefined,
    );
    expect(found.security).toEqual(isPaid ? [{ payment: [] }] : []);
    expect(Object.keys(found.responses['402']?.headers ?? {})).toEqual(
      isPaid ? ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'] : [],
    );
    expect(Object.keys(found.responses['200']?.headers ?? {})).toEqual([
      ...(isPaid ? ['PAYMENT-RESPONSE'] : []),
      ...(operation.isDocument ? ['ETag'] : []),
    ]);
  });

  it('says that other methods are not known, and that a document is not sent twice', () => {
    const refused = found.responses['405'];
    expect(Object.keys(refused?.headers ?? {})).toEqual(['Allow']);
    expect(refused?.content['application/problem+json']?.examples).toHaveProperty('method-not-allowed');
    expect(found.responses['304'] !== undefined).toBe(operation.isDocument);
    expect(found.responses['429'] !== undefined).toBe(!operation.isDocument);
  });

  it('has a response for every problem, told apart by its code', () => {
    for (const code of operation.problems) {
      const response = found.responses[String(PROBLEMS[code].status)];
      const problem = response?.content['application/problem+json'];
      expect(problem?.examples?.[code]?.value).toMatchObject({ code, status: PROBLEMS[code].status });
      const validate = compile(problem?.schema ?? {});
      const foreign = { ...(problem?.examples?.[code]?.value as object), code: 'watch-not-found' };
      expect(validate(foreign)).toBe(false);
    }
  });
});
