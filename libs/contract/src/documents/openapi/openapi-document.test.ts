import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS, SCHEMAS } from '../../operations/operations.ts';
import { PROBLEMS } from '../../shared/problem.ts';
import { CLIENTS_NOTE, LOST_RESPONSE_NOTE } from '../../shared/service.ts';
import { listSchemas } from '../../testing/list-schemas.ts';
import { createStrictAjv } from '../../testing/strict-ajv.ts';
import { createOpenApiDocument } from './openapi-document.ts';

const BASE = 'https://touchstone.example';
const document = createOpenApiDocument(BASE, { network: 'eip155:8453' });
const SECURITY = { none: [], bearer: [{ apiKey: [] }], 'optional-bearer': [{}, { apiKey: [] }] };

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
const { paths, components, webhooks } = z
  .looseObject({
    paths: z.record(z.string(), z.record(z.string(), operationShape)),
    webhooks: z.object({
      watchEvent: z.object({
        post: z.looseObject({
          parameters: z.array(z.looseObject({ name: z.string() })),
          requestBody: z.looseObject({ content }),
        }),
      }),
    }),
    components: z.looseObject({
      schemas: z.record(z.string(), z.looseObject({ examples: z.array(z.unknown()) })),
      headers: z.record(
        z.string(),
        z.looseObject({
          schema: z.looseObject({ contentSchema: z.looseObject({}).optional() }),
          example: z.unknown(),
        }),
      ),
      securitySchemes: z.record(z.string(), z.unknown()),
    }),
  })
  .parse(document);

const published = OPERATIONS.map((operation) => {
  const found = paths[operation.path]?.[operation.method.toLowerCase()];
  if (found === undefined) throw new Error(`The document has no operation ${operation.id}`);
  return { operation, found };
});

const require = createRequire(import.meta.url);
const cli = require.resolve('@redocly/cli/bin/cli.js');

const ajv = createStrictAjv();
/** The component schemas of the OpenAPI document, under a URI to which JSON Schema references can point. */
ajv.addSchema(toJsonSchemaUris({ $id: 'document:', $defs: components.schemas }));

function toJsonSchemaUris(schema: object): Record<string, unknown> {
  const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document:#/$defs/');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

/** Compiles a schema of the OpenAPI document together with the component schemas that it references. */
function compile(schema: object): ValidateFunction {
  return ajv.compile(toJsonSchemaUris(schema));
}

describe('the OpenAPI document', () => {
  it('passes the recommended lint rules of Redocly without warnings and exceptions', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
    const { stdout } = spawnSync(
      process.execPath,
      [cli, 'lint', 'openapi.json', '--extends', 'recommended', '--format', 'json'],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    rmSync(folder, { recursive: true });
    expect(JSON.parse(stdout)).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    });
  });

  it('names the API, its version and its server', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Touchstone', version: '2.0.0', license: { identifier: 'MIT' } },
      servers: [{ url: BASE }],
    });
    expect(createOpenApiDocument('http://localhost:3000/below?x', { network: 'x' })['servers']).toMatchObject(
      [{ url: 'http://localhost:3000' }],
    );
  });

  it('names the headers of both versions of x402, clients and the repetition of a lost response', () => {
    const { info } = z.object({ info: z.looseObject({ description: z.string() }) }).parse(document);
    expect(info.description).toMatch(/^\| 2 .*`PAYMENT-REQUIRED`.*`PAYMENT-SIGNATURE`.*`PAYMENT-RESPONSE`/m);
    expect(info.description).toMatch(/^\| 1 .*body.*`X-PAYMENT`.*`X-PAYMENT-RESPONSE`/m);
    expect(info.description).toContain(CLIENTS_NOTE);
    expect(info.description).toContain(LOST_RESPONSE_NOTE);
  });

  it('has no prices and a note when payments are disabled', () => {
    const disabled = createOpenApiDocument(BASE, { network: 'eip155:8453', arePaymentsEnabled: false });
    expect(JSON.stringify(disabled)).toContain('Paid operations are disabled');
    expect(JSON.stringify(disabled)).not.toContain('x-payment-info');
    expect(JSON.stringify(document)).not.toContain('Paid operations are disabled');
  });

  it('has every operation and no others', () => {
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('has one security scheme, for the secret of a watch, with the name that directories know', () => {
    expect(components.securitySchemes).toEqual({
      apiKey: { type: 'http', scheme: 'bearer', description: expect.any(String) as string },
    });
  });

  it('has a contact only if the operator has set one', () => {
    const contact = { email: 'operator@touchstone.example' };
    expect(createOpenApiDocument(BASE, { network: 'x', contact })['info']).toMatchObject({ contact });
    expect(document['info']).not.toHaveProperty('contact');
  });

  it('has guidance for agents: the text of the operator, or a text of at most 4,000 characters with each price', () => {
    const { info } = z.looseObject({ info: z.object({ 'x-guidance': z.string() }) }).parse(document);
    expect(info['x-guidance'].length).toBeLessThanOrEqual(4_000);
    expect(info['x-guidance']).toContain('GET /v1/x402-summary (free): ');
    for (const { path, priceUsd } of OPERATIONS)
      if (priceUsd !== null) expect(info['x-guidance']).toContain(`${path} (${priceUsd}): `);
    const own = createOpenApiDocument(BASE, { network: 'x', guidance: 'Call the summary first.' });
    expect(own['info']).toMatchObject({ 'x-guidance': 'Call the summary first.' });
  });

  it('has no escaped slash in a pattern, because some code generators escape it again', () => {
    for (const { pattern } of listSchemas(document)) expect(String(pattern)).not.toContain('\\/');
  });

  it('has no media type but JSON', () => {
    const types = published.flatMap(({ found }) =>
      Object.values(found.responses).flatMap(({ content: types }) => Object.keys(types)),
    );
    expect(new Set(types)).toEqual(new Set(['application/json', 'application/problem+json']));
  });

  it('describes the messages to webhooks with their headers', () => {
    const { parameters, requestBody } = webhooks.watchEvent.post;
    expect(parameters.map(({ name }) => name)).toEqual([
      'x-signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    const message = requestBody.content['application/json'];
    const validate = compile(message?.schema ?? {});
    expect([validate(message?.example), validate.errors]).toEqual([true, null]);
  });

  it('has a valid example of the challenge of version 2 in its header', () => {
    const { schema, example } = components.headers['PAYMENT-REQUIRED'] ?? expect.fail();
    const validate = compile(schema.contentSchema ?? {});
    expect([validate(JSON.parse(atob(String(example)))), validate.errors]).toEqual([true, null]);
    expect(schema.contentSchema).toEqual({ $ref: '#/components/schemas/PaymentRequired' });
  });

  it('has every published schema with a valid example', () => {
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
  it('has examples that match their schemas', () => {
    const bodies = [
      found.requestBody?.content ?? {},
      ...Object.values(found.responses).map(({ content: c }) => c),
    ];
    const shown = bodies.flatMap((body) =>
      Object.values(body).flatMap(({ schema, example, examples }) =>
        [example, ...Object.values(examples ?? {}).map(({ value }) => value)].flatMap((value) =>
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

  it('has price, challenge and receipt only when it is paid', () => {
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
    // With a security scheme, directories show a paid operation as one that needs an API key as well.
    expect(found.security).toEqual(SECURITY[operation.security]);
    expect(Object.keys(found.responses['402']?.headers ?? {})).toEqual(
      isPaid ? ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'] : [],
    );
    expect(Object.keys(found.responses['200']?.headers ?? {})).toEqual([
      ...(isPaid ? ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'] : []),
      ...(operation.isCacheableDocument ? ['ETag'] : []),
    ]);
  });

  it('has its parameters', () => {
    expect(found['parameters'] ?? []).toMatchObject(
      operation.parameters.map(({ in: place, name, required, description, example }) => ({
        ...{ in: place, name, description, example, required },
      })),
    );
  });

  it('has the responses of its kind, with their headers', () => {
    const { isCacheableDocument } = operation;
    const listHeaders = (status: number) => {
      const response = found.responses[String(status)];
      return response && Object.keys(response.headers ?? {});
    };
    expect(listHeaders(401)).toEqual(operation.security === 'none' ? undefined : ['WWW-Authenticate']);
    expect(listHeaders(308)).toEqual(operation.path.includes('{slug}') ? ['Location'] : undefined);
    expect(listHeaders(405)).toEqual(['Allow']);
    expect(found.responses['405']?.content['application/problem+json']?.examples).toHaveProperty(
      'method-not-allowed',
    );
    expect([found.responses['304'] !== undefined, found.responses['429'] !== undefined]).toEqual([
      isCacheableDocument,
      !isCacheableDocument,
    ]);
    expect(found.responses['431']).toEqual({
      description: expect.stringContaining('16 KiB') as string,
      content: {},
    });
  });

  it('has a response for every problem, distinguished by code', () => {
    for (const code of operation.problems) {
      const response = found.responses[String(PROBLEMS[code].status)];
      const problem = response?.content['application/problem+json'];
      expect(problem?.examples?.[code]?.value).toMatchObject({ code, status: PROBLEMS[code].status });
      const validate = compile(problem?.schema ?? {});
      const foreign = { ...(problem?.examples?.[code]?.value as object), code: 'method-not-allowed' };
      expect(validate(foreign)).toBe(false);
    }
  });
});
