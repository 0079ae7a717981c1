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

/** What came back. */
interface Answered {
  readonly status: number;
  /** As `Content-Type`. */
  readonly type: string;
  readonly body: unknown;
}

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, Omit<PublishedOperation, 'method' | 'path'>>>>
  >;
}

/** The document that the service under test publishes, and whether answers are as it says. */
export async function readPublished(siteUrl: string) {
  const answer = await fetch(`${siteUrl}/openapi.json`);
  // Whether it is an OpenAPI document is for the contract's own tests.
  const document = (await answer.json()) as OpenApi;
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
    /** What the document says of an answer and does not hold; nothing when it is as described. */
    mismatches: ({ method, path, responses }: PublishedOperation, { status, type, body }: Answered) => {
      const media = type.split(';')[0] ?? '';
      if (responses[String(status)]?.content?.[media] === undefined)
        return [`${status} ${media} is not described`];
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
