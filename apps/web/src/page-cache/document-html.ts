const SCRIPT_PATTERN = /<script\b([^>]*)>[\s\S]*?<\/script>/g;
const SCRIPT_PRELOAD_PATTERN = /<link\b(?=[^>]*\brel="(?:module)?preload")(?=[^>]*\bas="script")[^>]*>/g;

/**
 * Removes the scripts of Next from a rendered page, which has no components that need hydration. Our own scripts, which
 * are files outside `/_next/`, and JSON-LD blocks stay.
 *
 * @param html Page as serialized by React. Its text and attributes contain no bare `<` or `>`, and its data blocks no
 * bare `<`, so the pattern matches whole scripts only. See the HTML standard, section 4.12.1.3.
 */
export function removeFrameworkScripts(html: string): string {
  return html
    .replace(SCRIPT_PATTERN, (script, attributes: string) => (isKeptScript(attributes) ? script : ''))
    .replace(SCRIPT_PRELOAD_PATTERN, '');
}

function isKeptScript(attributes: string): boolean {
  if (/\btype="application\/ld\+json"/.test(attributes)) return true;
  const source = /\bsrc="([^"]*)"/.exec(attributes)?.[1];
  return source !== undefined && !source.startsWith('/_next/');
}
