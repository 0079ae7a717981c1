import type { Graph } from 'schema-dts';

/**
 * Serializes a value as JSON that is safe inside a script element. Each `<` is escaped, so untrusted text cannot close
 * the element or open a comment. See the HTML standard, section 4.12.1.3.
 */
export function toScriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** Structured data of a page for search engines, in the vocabulary of schema.org. */
export function JsonLd({ data }: { readonly data: Graph }) {
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: toScriptSafeJson(data) }} />;
}
