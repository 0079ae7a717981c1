/** Counts the calls of database functions, by their names in order. */
export function countingFetch(calls: string[]): typeof globalThis.fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    calls.push(new URL(url).pathname.split('/').at(-1) ?? '');
    return fetch(input, init);
  };
}
