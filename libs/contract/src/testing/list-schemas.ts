type Node = Readonly<Record<string, unknown>>;

/** Lists all objects in a JSON document, including the document itself. Each JSON Schema in the document is one of them. */
export function listSchemas(document: unknown): readonly Node[] {
  if (typeof document !== 'object' || document === null) return [];
  const children = Object.values(document).flatMap(listSchemas);
  // An object has string keys. An array is only searched for objects.
  return Array.isArray(document) ? children : [document as Node, ...children];
}
