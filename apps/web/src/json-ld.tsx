/**
 * A value as text that may stand inside a script element. JSON allows every `<` to be written as an escape, and
 * without one no text of a stranger can end the element or begin a comment. See the HTML standard, 4.12.1.3.
 */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** Structured data about the page for search engines, in the terms of schema.org. */
export function JsonLd({ data }: { readonly data: Readonly<Record<string, unknown>> }) {
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonForScript(data) }} />;
}
