/** One request of a paid operation. Equal orders buy the same result. */
export interface Order {
  /** URL of the operation. */
  readonly url: URL;
  /** JSON body, byte for byte as it is sent. A payment is bound to it. */
  readonly body: string;
  /** Description for people, such as `a trust report on https://…`. It contains only arguments of the user. */
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
