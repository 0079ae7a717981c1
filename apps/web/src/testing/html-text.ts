const ENTITIES: Readonly<Record<string, string>> = {
  '&#x27;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** Extracts the text from HTML that React serialized. Words are separated by single spaces. */
export function extractText(html: string): string {
  return html
    .replace(/<!--.*?-->/g, '')
    .replace(/<wbr\/>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#x27|quot|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ');
}
