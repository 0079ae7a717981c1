import { openApiDocument } from '@touchstone/contract';
import { config, siteOrigin } from './config.ts';

let published: string | undefined;

/** The text of `/openapi.json`, made once in a process. */
export function publishedOpenApi(): string {
  published ??= JSON.stringify(openApiDocument(siteOrigin(process.env), { network: config().network }));
  return published;
}
