import { createOpenApiDocument } from '@touchstone/contract';
import { getConfig, getSiteOrigin } from '../../platform/config/config.ts';
import { createCodeExamples, toSampleOperation } from './code-examples.ts';

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
    const { network, payment, apiContact, apiGuidance } = getConfig();
    const baseUrl = getSiteOrigin(process.env);
    const options = { baseUrl, network, ...(resource === undefined ? {} : { resource }) };
    const document = createOpenApiDocument(baseUrl, {
      network,
      arePaymentsEnabled: payment !== null,
      contact: apiContact,
      guidance: apiGuidance,
      createSample: (operation) => ({
        operation: toSampleOperation(operation, resource),
        codeSamples: createCodeExamples(operation, options).map(({ language, code }) => ({
          lang: LANGUAGES[language],
          label: language,
          source: code,
        })),
      }),
    });
    published = { resource, text: JSON.stringify(document) };
  }
  return published.text;
}

/** Language ids in the OpenAPI extension `x-codeSamples`. The ids select the syntax highlighting. */
const LANGUAGES = { curl: 'shell', TypeScript: 'typescript', Python: 'python' } as const;
