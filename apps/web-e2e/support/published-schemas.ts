import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const METHODS = ['get', 'post', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

/** Operation in the published OpenAPI document. */
export interface PublishedOperation {
  readonly method: Method;
  readonly path: string;
  readonly operationId: string;
  /** Security schemes by name. A request must satisfy one of the entries. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required?: boolean;
    readonly example?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** Response to compare with the OpenAPI document. */
interface ReceivedResponse {
  readonly status: number;
  /** Value of the `Content-Type` header. */
  readonly type: string;
  readonly body: unknown;
}

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, Omit<PublishedOperation, 'method' | 'path'>>>>
  >;
}

/**
 * Reads the OpenAPI document of the service under test. Returns its operations, and a function that compares a response
 * with the document.
 */
export async function readPublishedApi(siteUrl: string) {
  const response = await fetch(`${siteUrl}/openapi.json`);
  // The contract tests validate the OpenAPI document, so the cast is safe.
  const document = (await response.json()) as OpenApi;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]): PublishedOperation => {
      const method = METHODS.find((each) => each === name);
      if (method === undefined)
        throw new Error(
          `Only the methods ${METHODS.join(', ')} are expected; received ${name} ${path}. If the API has this method, add it to METHODS.`,
        );
      return { ...operation, method, path };
    }),
  );
  return {
    operations,
    /** Lists the differences between a response and the OpenAPI document. The list is empty if the response matches. */
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
