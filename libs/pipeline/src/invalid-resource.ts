/** Explanation of an invalid URL in a request, for a problem with the code `invalid-request`. */
export interface InvalidResource {
  readonly detail: string;
  readonly errors: readonly { readonly path: 'resource'; readonly message: string }[];
}

/** Error of a request whose `resource` is not the URL of an endpoint. The client has to change the request. */
export class InvalidResourceError extends Error {
  /** Explanation for a problem with the code `invalid-request`. */
  readonly explanation: InvalidResource;

  /** @param reason - reason as `canonicalize` returns it */
  constructor(reason: string) {
    const explanation = describeInvalidResource(reason);
    super(explanation.detail);
    this.name = 'InvalidResourceError';
    this.explanation = explanation;
  }
}

/**
 * Explains why the `resource` of a request is not the URL of an endpoint. All operations use the same message.
 *
 * @param reason - reason as `canonicalize` returns it
 */
export function describeInvalidResource(reason: string): InvalidResource {
  const message = `Give the full https URL of one endpoint: ${reason}.`;
  return { detail: message, errors: [{ path: 'resource', message }] };
}
