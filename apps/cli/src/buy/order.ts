/** What is to be bought: one call of a paid operation. The same order buys the same thing. */
export interface Order {
  /** Address of the operation. */
  readonly url: URL;
  /** JSON, byte for byte as it is sent: a payment is bound to it. */
  readonly body: string;
  /** In words, such as `a trust report on https://…`; made from the arguments, so it holds nothing hostile. */
  readonly what: string;
}

/** An order of an operation of a service. */
export function orderOf(
  service: URL,
  { path, input, what }: { readonly path: string; readonly input: unknown; readonly what: string },
): Order {
  return { url: new URL(path, service), body: JSON.stringify(input), what };
}
