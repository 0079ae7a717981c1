type Node = Readonly<Record<string, unknown>>;

/** Lists all objects in a JSON document, including the document itself. Each JSON Schema in the document is one of them. */
export function listSchemas(document: unknown): readonly Node[] {
  if (typeof document !== 'object' || document === null) return [];
  const children = Object.values(document).flatMap(listSchemas);
  // The cast is safe: a JSON object has string keys. The elements of an array are listed, but not the array itself.
  return Array.isArray(document) ? children : [document as Node, ...children];
}
