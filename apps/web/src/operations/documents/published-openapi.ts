import { replaceResource, createOpenApiDocument, OPERATIONS, type Operation } from '@touchstone/contract';
import { z } from 'zod';
import { getConfig, getSiteOrigin } from '../../platform/config/config.ts';
import { type ExampleOptions, createCodeExamples, toSampleOperation } from './code-examples.ts';

let published: { readonly resource: string | undefined; readonly text: string } | undefined;

/**
 * Returns the text of `/openapi.json`: the OpenAPI document of the package `contract`, with code examples for each
 * operation. The text is cached until the example endpoint changes.
 *
 * @param resource URL of the endpoint in the examples; undefined selects the example endpoint of the package
 * `contract`.
 */
export function getPublishedOpenApi(resource: string | undefined): string {
  if (published === undefined || published.resource !== resource) {
    const options = { baseUrl: getSiteOrigin(process.env), network: getConfig().network };
    const document = createDocument({ ...options, ...(resource === undefined ? {} : { resource }) });
    published = { resource, text: JSON.stringify(document) };
  }
  return published.text;
}

const bodySchema = z.looseObject({ example: z.record(z.string(), z.unknown()) });
const operationSchema = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ name: z.string() })).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), bodySchema) }).optional(),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

function createDocument(options: ExampleOptions): object {
  const { payment, apiContact, apiGuidance } = getConfig();
  const document = documentSchema.parse(
    createOpenApiDocument(options.baseUrl, {
      network: options.network,
      arePaymentsEnabled: payment !== null,
      contact: apiContact,
      guidance: apiGuidance,
    }),
  );
  const paths = mapValues(document.paths, (operations) =>
    mapValues(operations, (operation) => addExamples(operation, options)),
  );
  return { ...document, paths };
}

function addExamples(operation: z.infer<typeof operationSchema>, options: ExampleOptions): object {
  const { requestBody, parameters, ...others } = operation;
  const known = OPERATIONS.find(({ id }) => id === operation.operationId);
  const sample = known === undefined ? undefined : toSampleOperation(known, options.resource);
  const rest = {
    ...others,
    ...(parameters === undefined
      ? {}
      : { parameters: parameters.map((parameter) => ({ ...parameter, ...findExample(sample, parameter) })) }),
  };
  const samples = (known === undefined ? [] : createCodeExamples(known, options)).map(
    ({ language, code }) => ({
      lang: LANGUAGES[language],
      label: language,
      source: code,
    }),
  );
  if (requestBody === undefined) return { ...rest, 'x-codeSamples': samples };
  const content = mapValues(requestBody.content, (body) => ({
    ...body,
    example: replaceResource(body.example, options.resource),
  }));
  return { ...rest, requestBody: { ...requestBody, content }, 'x-codeSamples': samples };
}

function findExample(sample: Operation | undefined, { name }: { readonly name: string }): object {
  const parameter = sample?.parameters.find((other) => other.name === name);
  return parameter === undefined ? {} : { example: parameter.example };
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** Language ids in the OpenAPI extension `x-codeSamples`. The ids select the syntax highlighting. */
const LANGUAGES = { curl: 'shell', TypeScript: 'typescript', Python: 'python' } as const;
