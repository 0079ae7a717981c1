import { createProblem } from '@touchstone/contract';
import {
  DOCUMENT_MAX_AGE_SECONDS,
  createFixedDocumentResponse,
  createProblemResponse,
} from '../../api/responses.ts';
import { type RouteExports, route } from '../../api/route.ts';
import { getConfig, getSiteOrigin } from '../../platform/config/config.ts';
import { toContactUrl } from './contact-link.tsx';

/** Months from the current month to the month in which the file expires. RFC 9116 recommends less than a year. */
const VALID_MONTHS = 6;

/**
 * Creates the content of `/.well-known/security.txt` (RFC 9116). It expires on the first day of a month, so the content
 * changes once a month.
 *
 * @param contact E-mail address or URL for reports of vulnerabilities, as a URI.
 * @param origin Public origin of the site, without a path.
 * @param now Current time in milliseconds since the epoch.
 */
export function createSecurityText(contact: string, origin: string, now: number): string {
  const date = new Date(now);
  const expires = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + VALID_MONTHS, 1));
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n');
}

function respond(request: Request): Response {
  const { securityContact } = getConfig();
  if (securityContact === undefined) {
    return createProblemResponse(
      createProblem('unknown-resource', 'The operator of this service has configured no security contact.'),
    );
  }
  return createFixedDocumentResponse(request, {
    text: createSecurityText(toContactUrl(securityContact), getSiteOrigin(process.env), Date.now()),
    type: 'text/plain; charset=utf-8',
    maxAgeSeconds: DOCUMENT_MAX_AGE_SECONDS,
  });
}

/** Handlers of `/.well-known/security.txt`. */
export const securityTextRoute: RouteExports = route({ GET: respond });
