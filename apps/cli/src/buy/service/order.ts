/** A request for a paid operation. Orders with the same URL and body buy the same result. */
export interface Order {
  /** URL of the paid operation. */
  readonly url: URL;
  /** URL that the challenge must be for: `url` without the query, which belongs to the request only. */
  readonly resource: URL;
  /** JSON body, exactly as it is sent. The service accepts a payment only with the body of its first request. */
  readonly body: string;
  /** Description for messages, such as `a trust report on https://…`. It contains no text from the service. */
  readonly description: string;
}

/** Creates an order for an operation of a service. */
export function createOrder(
  service: URL,
  {
    path,
    query = {},
    input,
    description,
  }: {
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly input: unknown;
    readonly description: string;
  },
): Order {
  const resource = new URL(path, service);
  const url = new URL(resource);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { url, resource, body: JSON.stringify(input), description };
}
