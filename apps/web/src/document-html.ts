const SCRIPT = /<script\b([^>]*)>[\s\S]*?<\/script>/g;
const SCRIPT_PRELOAD = /<link\b(?=[^>]*\brel="(?:module)?preload")(?=[^>]*\bas="script")[^>]*>/g;

/**
 * A rendered page as the document it is: without the framework's scripts, which would only bring to life components
 * that are complete already. Scripts of our own, which are files outside `/_next/`, and data blocks stay.
 *
 * @param html A page as React serialized it: text and attributes never hold a bare `<` or `>`, and no data block a
 * bare `<`, so a script begins and ends where this expression says. See the HTML standard, 4.12.1.3.
 */
export function documentHtml(html: string): string {
  return html
    .replace(SCRIPT, (script, attributes: string) => (staysInDocument(attributes) ? script : ''))
    .replace(SCRIPT_PRELOAD, '');
}

function staysInDocument(attributes: string): boolean {
  if (/\btype="application\/ld\+json"/.test(attributes)) return true;
  const source = /\bsrc="([^"]*)"/.exec(attributes)?.[1];
  return source !== undefined && !source.startsWith('/_next/');
}
