const SCRIPT_PATTERN = /<script\b([^>]*)>[\s\S]*?<\/script>/g;
const SCRIPT_PRELOAD_PATTERN = /<link\b(?=[^>]*\brel="(?:module)?preload")(?=[^>]*\bas="script")[^>]*>/g;

/**
 * Removes the scripts of Next from a rendered page, because no component of the page needs hydration. Our own scripts,
 * which are files outside `/_next/`, and JSON-LD blocks are kept.
 *
 * @param html Page as serialized by React. Text and attributes contain no unescaped `<` or `>`, and data blocks contain
 * no unescaped `<`, so the pattern matches only whole scripts. See the HTML standard, section 4.12.1.3.
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
