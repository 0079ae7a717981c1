/**
 * Command of `touchstone`, the CLI, that calls an operation. The CLI creates the command from this description, adds
 * the options that all its buying commands have (service, wallet, limit, output), and formats the result.
 *
 * The CLI reads the arguments like this: each value becomes the member of the request that `member` names. A member
 * belongs to the path, the query or the body of the request; `watch_id` is the id of a watch in the path. A dot in a
 * member names a member of an object, such as `delivery.webhook_urls`. Values that the command line leaves out stay out
 * of the request, so that the schema of the request sets its defaults and checks all values.
 */
export interface OperationCommand {
  /** Words after `touchstone`, such as `watch create`. */
  readonly name: string;
  /** Description in the help. */
  readonly summary: string;
  readonly argument: CommandArgument;
  /** Options that set members of the request. */
  readonly options: readonly CommandOption[];
  /** Default of `--max-usd` in US dollars. Null for a free operation, or if the general default of the CLI applies. */
  readonly maxUsd: string | null;
  /**
   * Names of the bought result, for messages; null for a free operation, and for a command that several operations
   * share.
   */
  readonly product: CommandProduct | null;
  /** Command lines in the help. */
  readonly examples: readonly string[];
}

interface CommandArgument {
  readonly member: string;
  /**
   * Name in the help, without angle brackets. The argument `file` is the name of a file that contains the value of the
   * member.
   */
  readonly name: 'url' | 'query' | 'id' | 'file';
  readonly text: string;
}

export interface CommandOption {
  readonly member: string;
  /** Name and placeholder, such as `--limit <n>`. */
  readonly flags: string;
  /** Help text, including the default. */
  readonly text: string;
  /**
   * Form of the value: a text, a number, one of `choices`, one text for each repetition of the option (`repeated`), or
   * a comma-separated list (`list`). In a list, `all` means all choices.
   */
  readonly kind: 'text' | 'number' | 'choice' | 'repeated' | 'list';
  /** Permitted values of a choice and of a list. */
  readonly choices?: readonly string[];
}

interface CommandProduct {
  /** Name with its article, such as `a trust report`. */
  readonly name: string;
  /** Name with the values of the request in braces, such as `a trust report on {resource}`. */
  readonly description: string;
}

/** Argument of a command on one endpoint. */
export const URL_ARGUMENT = {
  member: 'resource',
  name: 'url',
  text: 'full URL of the endpoint, as directories list it',
} as const satisfies CommandArgument;
