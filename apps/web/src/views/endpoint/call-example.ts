import type { Snapshot } from '@touchstone/store';
import { quoteForShell } from '../../operations/documents/code-examples.ts';

type Subject = Pick<Snapshot, 'resource' | 'method' | 'exampleRequest'>;

/**
 * Formats a curl command that calls an endpoint with the example of its provider. The example is untrusted, so the
 * command uses only options that take a value literally: `--data` and `--form` would read local files for values that
 * begin with `@`.
 */
export function formatEndpointCurl(subject: Subject): string {
  const url = createCallUrl(subject);
  const { body } = subject.exampleRequest ?? { body: null };
  const lines = [
    // Without this option, curl expands braces and brackets of the URL.
    `curl -i ${/[[\]{}]/.test(url) ? '--globoff ' : ''}-X ${getMethod(subject)} ${quoteForShell(url)}`,
    ...(body === null ? [] : formatCurlBody(body)),
  ];
  return lines.join(' \\\n');
}

type Body = NonNullable<NonNullable<Subject['exampleRequest']>['body']>;

function formatCurlBody({ type, value }: Body): readonly string[] {
  switch (type) {
    case 'json':
      return [`  -H 'Content-Type: application/json'`, `  --data-raw ${quoteForShell(toAsciiJson(value))}`];
    case 'form-data':
      return listFields(value).map(([name, text]) => `  --form-string ${quoteForShell(`${name}=${text}`)}`);
    case 'text':
      return [`  -H 'Content-Type: text/plain'`, `  --data-raw ${quoteForShell(toSafeText(value))}`];
  }
}

/** Formats the lines of a program that call an endpoint with the function `fetchAndPay`. */
export function formatEndpointFetch(subject: Subject): string {
  const { body } = subject.exampleRequest ?? { body: null };
  return [
    `const response = await fetchAndPay(${toAsciiJson(createCallUrl(subject))}, {`,
    `  method: ${toAsciiJson(getMethod(subject))},`,
    ...(body === null ? [] : formatFetchBody(body)),
    `});`,
    `console.log(response.status, await response.text());`,
  ].join('\n');
}

function formatFetchBody({ type, value }: Body): readonly string[] {
  switch (type) {
    case 'json':
      return [
        `  headers: { 'Content-Type': 'application/json' },`,
        `  body: JSON.stringify(${toAsciiJson(value)}),`,
      ];
    case 'form-data':
      return [
        `  body: ${toAsciiJson(listFields(value))}.reduce((form, [name, text]) => (form.set(name, text), form), new FormData()),`,
      ];
    case 'text':
      return [`  headers: { 'Content-Type': 'text/plain' },`, `  body: ${toAsciiJson(toSafeText(value))},`];
  }
}

function getMethod({ method, exampleRequest }: Subject): string {
  return method ?? (hasBody(exampleRequest) ? 'POST' : 'GET');
}

function hasBody(example: Subject['exampleRequest']): boolean {
  return example !== null && example.body !== null;
}

/** Returns the URL with the query parameters of the example that the URL does not have. Placeholders stay unchanged. */
function createCallUrl({ resource, exampleRequest }: Subject): string {
  const [, search = ''] = resource.split('?', 2);
  const present = new URLSearchParams(search);
  const missing = (exampleRequest?.query ?? []).filter(([name]) => !present.has(name));
  if (missing.length === 0) return resource;
  const query = new URLSearchParams(missing.map(([name, value]) => [name, value])).toString();
  return `${resource}${resource.includes('?') ? '&' : '?'}${query}`;
}

/** Returns the fields of a form whose values are no objects. */
function listFields(value: Body['value']): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    ['string', 'number', 'boolean'].includes(typeof member)
      ? [[toSafeText(name).replaceAll('=', ''), toSafeText(String(member))] as const]
      : [],
  );
}

/** Formats a value as JSON in printable ASCII, so that a terminal interprets no character of the value. */
function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns a text without control and format characters, which a terminal could interpret. */
function toSafeText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
}
