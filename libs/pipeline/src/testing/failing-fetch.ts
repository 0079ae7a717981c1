/** Creates a `fetch` that fails the first `times` calls of the given database functions. */
export function createFailingFetch(functions: readonly string[], times = Infinity): typeof globalThis.fetch {
  let left = times;
  return (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    if (left === 0 || !functions.some((name) => url.endsWith(`/rpc/${name}`))) return fetch(input, init);
    left -= 1;
    return Promise.resolve(new Response('{"message":"the database went away"}', { status: 503 }));
  };
}
