import type { z } from 'zod';

/** A schema that is published at a path of the service, with its title and an example. */
export interface PublishedSchema {
  readonly title: string;
  readonly description: string;
  /** Path of the schema on the service. The schema at a published path never changes. */
  readonly path: string;
  /** Component name in the OpenAPI document. */
  readonly component: string;
  readonly schema: z.ZodType;
  /**
   * Direction of the described data: `input` for request bodies, in which members with a default value are optional.
   */
  readonly io: 'input' | 'output';
  readonly example: unknown;
}
