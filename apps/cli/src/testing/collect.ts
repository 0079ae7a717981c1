/** Everything an iterable gives. */
export async function collect<T>(given: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of given) all.push(one);
  return all;
}
