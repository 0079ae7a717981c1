import { openApiDocument, OPERATIONS } from '@touchstone/contract';
import { z } from 'zod';
import { config, siteOrigin } from './config.ts';
import { codeExamples } from './docs/code-examples.ts';

let published: string | undefined;

/** The text of `/openapi.json`, made once in a process: the contract's document, with programs for each operation. */
export function publishedOpenApi(): string {
  published ??= JSON.stringify(documentOf(siteOrigin(process.env), config().network));
  return published;
}

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
});

function documentOf(baseUrl: string, network: string): object {
  const { paths, ...rest } = documentSchema.parse(openApiDocument(baseUrl, { network }));
  const samplesOf = (operationId: string) => {
    const operation = OPERATIONS.find(({ id }) => id === operationId);
    const examples = operation === undefined ? [] : codeExamples(operation, { baseUrl, network });
    return examples.map(({ language, code }) => ({
      lang: LANGUAGES[language],
      label: language,
      source: code,
    }));
  };
  const withSamples = Object.entries(paths).map(([path, operations]) => {
    const extended = Object.entries(operations).map(
      ([method, operation]) =>
        [method, { ...operation, 'x-codeSamples': samplesOf(operation.operationId) }] as const,
    );
    return [path, Object.fromEntries(extended)] as const;
  });
  return { ...rest, paths: Object.fromEntries(withSamples) };
}

/** As readers of OpenAPI documents call them, for their colors. */
const LANGUAGES = { curl: 'shell', TypeScript: 'typescript', Python: 'python' } as const;
