import { ResourceNotFoundError, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { createJsonSchema, DOCUMENT_PATHS, SCHEMAS, type SchemaName } from '@touchstone/contract';
import type { McpServerOptions } from '../options.ts';
import { createMethodologyText } from './methodology.ts';
import { LLMS_URI, METHODOLOGY_URI, SCHEMA_URI_PREFIX } from './resource-uris.ts';

const SCHEMA_TYPE = 'application/schema+json';

/** Names of the published JSON Schemas. `SCHEMAS` has exactly the keys of its type, so the cast is safe. */
const SCHEMA_NAMES = Object.keys(SCHEMAS) as SchemaName[];

/** Registers the documents of the service: the methodology, the JSON Schemas and `llms.txt`. */
export function registerResources(server: McpServer, { baseUrl, readText }: McpServerOptions): void {
  registerMethodology(server, baseUrl);
  registerSchemas(server, baseUrl);
  if (readText !== undefined) registerLlmsText(server, readText);
}

function registerMethodology(server: McpServer, baseUrl: string): void {
  const config = {
    title: 'Scoring methodology',
    description: 'Formula of the trust score: components, curves, caps, grades, recommendations and flags.',
    mimeType: 'text/markdown',
  };
  server.registerResource('methodology', METHODOLOGY_URI, config, (uri) => ({
    contents: [{ uri: uri.href, mimeType: config.mimeType, text: createMethodologyText(baseUrl) }],
  }));
}

function registerSchemas(server: McpServer, baseUrl: string): void {
  const template = new ResourceTemplate(`${SCHEMA_URI_PREFIX}{name}`, {
    list: () => ({
      resources: SCHEMA_NAMES.map((name) => ({
        uri: `${SCHEMA_URI_PREFIX}${name}`,
        name,
        title: SCHEMAS[name].title,
        description: SCHEMAS[name].description,
        mimeType: SCHEMA_TYPE,
      })),
    }),
    complete: { name: (value) => SCHEMA_NAMES.filter((name) => name.startsWith(value)) },
  });
  const config = {
    title: 'JSON Schemas',
    description: 'JSON Schema (draft 2020-12) of a request or response body, with an example.',
    mimeType: SCHEMA_TYPE,
  };
  server.registerResource('schemas', template, config, (uri, { name }) => {
    const known = SCHEMA_NAMES.find((candidate) => candidate === name);
    if (known === undefined) throw new ResourceNotFoundError(uri.href);
    const text = JSON.stringify(createJsonSchema(known, baseUrl));
    return { contents: [{ uri: uri.href, mimeType: SCHEMA_TYPE, text }] };
  });
}

function registerLlmsText(server: McpServer, readText: NonNullable<McpServerOptions['readText']>): void {
  const config = {
    title: 'llms.txt',
    description: 'Description of the HTTP API: operations, prices, payment and errors.',
    mimeType: 'text/markdown',
  };
  server.registerResource('llms.txt', LLMS_URI, config, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: config.mimeType, text: await readText(DOCUMENT_PATHS.llms) }],
  }));
}
