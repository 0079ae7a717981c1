import { WATCH_SCHEMAS } from '../../operations/watch/schemas.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { formatEventId, WATCH_ID_EXAMPLE } from '../../operations/watch/watch-ids.ts';
import { createSchemaRef } from './components.ts';

/** Creates the description of a header of a message. */
function createHeader(name: string, description: string, example: string): JsonSchema {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

/** OpenAPI descriptions of the requests that this service sends to the delivery URLs of a watch, by name. */
export const WEBHOOKS: JsonSchema = {
  watchEvent: {
    post: {
      operationId: 'receiveWatchEvent',
      summary: 'Event of a watch',
      description:
        'Sent to each `webhook_url` of a watch, in the order of `data.sequence`. A message that fails is repeated up to nine times over several days with the same `webhook-id`, so ignore ids that you have processed. Both signatures use the same key: the 64 ASCII characters of the lowercase hex of SHA-256 of the secret. `webhook_secret` has this key in the format of Standard Webhooks libraries.',
      tags: ['watch'],
      security: [],
      parameters: [
        createHeader(
          'x-signature',
          '`sha256=` and the hex HMAC-SHA256 of the body.',
          'sha256=0f2f1a7d6c3f5b1e9a4c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a',
        ),
        createHeader(
          'webhook-id',
          'Id of the event, the same in every attempt.',
          formatEventId(WATCH_ID_EXAMPLE, 2),
        ),
        createHeader(
          'webhook-timestamp',
          'Time of the attempt, in seconds since the epoch. Refuse messages that are older than 5 minutes.',
          '1780387501',
        ),
        createHeader(
          'webhook-signature',
          '`v1,` and the base64 HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, joined by dots.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: {
        description: 'The message, less than 20 kB.',
        required: true,
        content: {
          'application/json': {
            schema: createSchemaRef(WATCH_SCHEMAS['webhook-message']),
            example: WATCH_SCHEMAS['webhook-message'].example,
          },
        },
      },
      responses: {
        '2XX': { description: 'The message was received.' },
        410: { description: 'The destination does not exist any more. It is disabled at once.' },
        429: { description: 'Too many messages. The next attempt is after the time in `Retry-After`.' },
      },
    },
  },
};
