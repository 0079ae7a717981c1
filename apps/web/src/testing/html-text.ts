const ENTITIES: Readonly<Record<string, string>> = {
  '&#x27;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** Extracts the text of HTML as serialized by React, with single spaces. */
export function extractText(html: string): string {
  return html
    .replace(/<!--.*?-->/g, '')
    .replace(/<wbr\/>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#x27|quot|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ');
}
