import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS, findOperation } from '../operations/operations.ts';
import { listMistakes } from '../shared/validation-messages.ts';
import { createStrictAjv } from '../testing/strict-ajv.ts';
import { WATCH_EVENT_TYPES } from '../events/watch-event-table.ts';
import { formatEventId, WATCH_ID_EXAMPLE } from '../operations/watch/watch-ids.ts';
import { toToolRequest } from './tool-request.ts';
import { createToolSchemas, getArgumentName, type Tool, TOOLS } from './tools.ts';

/**
 * Operations without a tool: documents, disputes of providers, test purchases, outcomes that payers sign, and a second way
 * to request the same data.
 */
const OTHER_OPERATIONS = [
  'createDispute',
  'reportOutcome',
  'listCorrections',
  'getDeliveryLedger',
  'getPurchase',
  'getEndpointSummary',
  'listEndpointSummaries',
  'postTrustPreview',
  'getKeySet',
  'getOpenApiDocument',
  'getSchema',
  'createClaim',
  'getClaim',
  'verifyClaim',
  'editClaim',
  'recheckEndpoint',
  'endClaim',
];

const watchId = fc.stringMatching(/^w_[a-z2-7]{26}$/);
const secret = fc.stringMatching(/^wsk_[A-Za-z0-9_-]{43}$/);
const resource = fc.oneof(
  fc.webUrl({ withQueryParameters: true }),
  fc.constantFrom('http://a', 'https://api.example.com/items/{id}?q=a&b=%2F', 'https://例え.jp/データ'),
);
const visible = fc.stringMatching(/^[!-~]{1,200}$/);
const cursor = fc.tuple(watchId, fc.nat({ max: 9_999 })).map(([id, sequence]) => formatEventId(id, sequence));
const query = fc.string({ minLength: 1, maxLength: 400 }).map((text) => `w ${text.replace(/\p{Cc}/gu, ' ')}`);
const url = fc.constantFrom('https://example.com/alerts', 'https://example.org/hook?x=1');

/** Arbitrary values of input members, by name. Other members have the value of the example. */
const MEMBERS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  resource,
  endpoint: resource,
  resources: fc.array(resource, { minLength: 1, maxLength: 120 }),
  watch_id: watchId,
  secret,
  payTo: visible,
  network: visible,
  since: cursor,
  watch_since: cursor,
  detail: fc.constant('full'),
  method: fc.constantFrom('GET', 'POST'),
  stack: fc.constantFrom('express', 'go'),
  resolution: fc.constant('daily'),
  days: fc.integer({ min: 1, max: 90 }),
  limit: fc.integer({ min: 1, max: 25 }),
  minScoreDelta: fc.double({ min: 0, max: 100, noNaN: true }),
  query,
  events: fc.uniqueArray(fc.constantFrom(...WATCH_EVENT_TYPES), { minLength: 1 }),
  liveness_sensitivity_n: fc.integer({ min: 1, max: 10 }),
  delivery: fc.record({ webhook_url: url, slack_urls: fc.array(url, { maxLength: 2 }) }),
};

/** Returns arbitrary valid inputs of a tool: all required members, and some optional members. */
function createInputs({ name, input, operations }: Tool): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const shape: Readonly<Record<string, z.ZodType>> = input.shape;
  const names = Object.keys(shape);
  const examples: Readonly<Record<string, unknown>> = {
    ...operations[0]?.requestBody?.example,
    ...Object.fromEntries(operations[0]?.parameters.map((each) => [each.name, each.example]) ?? []),
  };
  // The names of these members mean other values in other tools.
  const own = name === 'x402_payment_status' ? {} : MEMBERS;
  const members = names.map((member) => [member, own[member] ?? fc.constant(examples[member])] as const);
  const required = names.filter((member) => !z.object({ value: shape[member] }).safeParse({}).success);
  // An edit needs at least one setting.
  const requiredKeys = name === 'x402_watch_edit' ? [...required, 'liveness_sensitivity_n'] : required;
  return fc.record(Object.fromEntries(members), { requiredKeys });
}

function findTool(name: string): Tool {
  const tool = TOOLS.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

describe('the tools', () => {
  it('have unique names of the MCP specification', () => {
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
    expect(TOOLS.filter(({ name }) => !/^x402_[a-z_]{1,40}$/.test(name))).toEqual([]);
  });

  it('cover each operation once, except documents', () => {
    const used = TOOLS.flatMap(({ operations }) => operations.map(({ id }) => id));
    expect([...used, ...OTHER_OPERATIONS].sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
  });

  it('have the prices of the operations in their descriptions', () => {
    const { description } = findTool('x402_watch_create');
    expect(description).toContain('Price: $0.20 per call, paid with x402.');
    expect(findTool('x402_trust_bulk').description).toContain(
      'Price: $0.045 for up to 10, $0.20 for up to 50, $0.325 for up to 100, $0.40 for up to 200, $0.50 for up to 500 URLs, paid with x402.',
    );
  });

  it('name only tools that exist in their descriptions', () => {
    const named = TOOLS.flatMap(({ description }) => description.match(/x402_\w+/g) ?? []);
    expect(named.filter((name) => !TOOLS.some((tool) => tool.name === name))).toEqual([]);
  });
});

describe.each(TOOLS)('the tool $name', (tool) => {
  const { name, operations, input, output, description, title, annotations } = tool;
  const schemas = createToolSchemas(tool);

  it('has a description of at most 600 printable characters that ends with its price', () => {
    expect(description.length).toBeLessThanOrEqual(600);
    expect(description).toMatch(/^Use it [\x20-\x7e]+$/);
    for (const { priceUsd } of operations) {
      if (priceUsd === null) expect(description).toMatch(/\. Free\.$/);
      else expect(description.split('Price: ')[1]).toContain(`$${String(Number(priceUsd))}`);
    }
  });

  it('has hints that let no client spend money or lose settings without asking', () => {
    const isPaid = operations.some(({ priceUsd }) => priceUsd !== null);
    const isRead = operations.every(({ method }) => method === 'GET') || name === 'x402_check';
    expect(annotations).toMatchObject({ title, readOnlyHint: isRead && !isPaid });
    expect(annotations.destructiveHint).toBe(!isRead && !isPaid);
    expect(annotations.idempotentHint).toBe(!isPaid);
  });

  it('has JSON Schemas of objects without references, and a strict input', () => {
    expect(schemas.input).toMatchObject({ type: 'object', additionalProperties: false });
    expect(schemas.output).toMatchObject({ type: 'object' });
    expect(JSON.stringify(schemas)).not.toContain('"$ref"');
    const properties = Object.values(schemas.input['properties'] ?? {}) as { description?: string }[];
    expect(properties.every((property) => typeof property.description === 'string')).toBe(true);
  });

  it('has the response of each operation as its output', () => {
    const validate = createStrictAjv().compile(schemas.output);
    for (const { response } of operations) {
      expect(output.safeParse(response.example)).toMatchObject({ success: true });
      expect([validate(response.example), validate.errors]).toEqual([true, null]);
    }
  });

  it('converts every valid input to a request of one of its operations', () => {
    const validate = createStrictAjv().compile(schemas.input);
    fc.assert(
      fc.property(createInputs(tool), (given) => {
        const parsed = input.safeParse(given);
        expect(parsed.error?.issues ?? []).toEqual([]);
        expect([validate(given), validate.errors]).toEqual([true, null]);
        const request = toToolRequest(tool, parsed.data ?? {});
        const { operation, method, path, body, secret: sent } = request;
        expect(operations).toContain(operation);
        expect(findOperation(method, path)).toBe(operation);
        expect(body === undefined).toBe(operation.requestBody === null);
        expect(operation.requestBody?.schema.safeParse(body).success ?? true).toBe(true);
        expect(sent).toBe(operation.security === 'bearer' ? given['secret'] : null);
        const parts = {
          ...(body ?? {}),
          ...readParameters(request),
          ...(sent === null ? {} : { secret: sent }),
        };
        expect(parts).toEqual(parsed.data);
        const names = operation.parameters.map(getArgumentName);
        expect(names).toEqual(expect.arrayContaining(Object.keys(readParameters(request))));
      }),
      { numRuns: 50 },
    );
  });
});

/** Returns the parameters of a request as a server reads them from its URL, by the names of their arguments. */
function readParameters({ operation, path, query: sent }: ReturnType<typeof toToolRequest>) {
  const url = new URL(`https://touchstone.example${path}?${new URLSearchParams(sent).toString()}`);
  const template = operation.path.split('/');
  const parts = url.pathname.split('/').map(decodeURIComponent);
  const at = template.indexOf('{id}');
  return { ...(at < 0 ? {} : { watch_id: parts[at] }), ...Object.fromEntries(url.searchParams) };
}

describe('toToolRequest', () => {
  const bulk = findTool('x402_trust_bulk');

  it.each([
    [10, 10],
    [11, 50],
    [500, 500],
  ])('buys the scores of %d endpoints with the operation for %d', (count, size) => {
    const resources = Array.from({ length: count }, (_, at) => `https://api.example.com/${String(at)}`);
    const { path, body } = toToolRequest(bulk, bulk.input.parse({ resources }));
    expect([path, body]).toEqual([`/v1/x402-trust-bulk-${String(size)}`, { resources }]);
  });

  it('throws for an input that was not parsed', () => {
    expect(() => toToolRequest(bulk, { resources: [] })).toThrow('No operation of the tool x402_trust_bulk');
  });

  it('fills defaults into the body, and leaves optional query parameters out', () => {
    const history = findTool('x402_endpoint_history');
    const { body, query: sent } = toToolRequest(
      history,
      history.input.parse({ resource: 'https://a.example' }),
    );
    expect([body, sent]).toEqual([{ resource: 'https://a.example', days: 30 }, {}]);
  });
});

describe('the messages for an invalid input', () => {
  it.each<readonly [string, unknown, string]>([
    [
      'x402_trust_bulk',
      { resources: [] },
      '`resources` must be a list of 1 to 500 URLs of endpoints; received a list of 0 items.',
    ],
    [
      'x402_watch_show',
      { watch_id: WATCH_ID_EXAMPLE, secret: 'wsk_short' },
      '`secret` must be the secret of the watch: wsk_ and 43 characters; received a value of 9 characters.',
    ],
    [
      'x402_watch_edit',
      { watch_id: WATCH_ID_EXAMPLE, secret: `wsk_${'a'.repeat(43)}` },
      'The input must be an object with at least one of `events`, `liveness_sensitivity_n` and `delivery`; received an object.',
    ],
    [
      'x402_ecosystem_stats',
      { surprise: 1 },
      '`surprise` is not a field of the input. Remove it or correct its name.',
    ],
  ])('of %s are those of the API (%#)', (name, input, message) => {
    const { error } = findTool(name).input.safeParse(input);
    const mistakes = listMistakes(error?.issues ?? [], input, 'input');
    expect(mistakes.map((mistake) => mistake.message)).toEqual([message]);
  });
});
