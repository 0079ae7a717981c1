/** Creates a `fetch` that appends the name of each called database function to `calls`. */
export function createCountingFetch(calls: string[]): typeof globalThis.fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    calls.push(new URL(url).pathname.split('/').at(-1) ?? '');
    return fetch(input, init);
  };
}
