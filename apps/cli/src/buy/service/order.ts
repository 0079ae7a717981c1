/** A request for a paid operation. Orders with the same URL and body buy the same result. */
export interface Order {
  /** URL of the paid operation. */
  readonly url: URL;
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
    input,
    description,
  }: { readonly path: string; readonly input: unknown; readonly description: string },
): Order {
  return { url: new URL(path, service), body: JSON.stringify(input), description };
}
