/**
 * Returns the query parameters of a URL by name. A repeated parameter has a list of its values, which the schema of the
 * parameter refuses.
 */
export function readQuery(url: string): Readonly<Record<string, unknown>> {
  const { searchParams } = new URL(url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
