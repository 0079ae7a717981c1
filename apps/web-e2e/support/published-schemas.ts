import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** One operation as the published document describes it. */
export interface PublishedOperation {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly example?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** Response to compare with the document. */
interface ReceivedResponse {
  readonly status: number;
  /** Value of `Content-Type`. */
  readonly type: string;
  readonly body: unknown;
}

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, Omit<PublishedOperation, 'method' | 'path'>>>>
  >;
}

/** Reads the OpenAPI document of the service under test, with a function that compares responses with it. */
export async function readPublishedApi(siteUrl: string) {
  const response = await fetch(`${siteUrl}/openapi.json`);
  // Tests of the contract validate the document itself.
  const document = (await response.json()) as OpenApi;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): PublishedOperation => {
      if (method !== 'get' && method !== 'post') throw new Error(`${method} ${path} is not expected`);
      return { ...operation, method, path };
    }),
  );
  return {
    operations,
    /** Returns the differences of a response from the document; empty if it matches. */
    findMismatches: (
      { method, path, responses }: PublishedOperation,
      { status, type, body }: ReceivedResponse,
    ) => {
      const media = type.split(';')[0] ?? '';
      if (responses[String(status)]?.content?.[media] === undefined)
        return [`${status} ${media} is not in the document`];
      const steps = ['paths', path, method, 'responses', String(status), 'content', media, 'schema'];
      const pointer = steps.map((step) =>
        encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
      );
      const validate = ajv.compile({ $ref: `openapi#/${pointer.join('/')}` });
      return validate(body)
        ? []
        : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
    },
  };
}
