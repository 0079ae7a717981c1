import { formatVerdict } from '@touchstone/ui';
import { BADGE_SIZE } from '../pictures/create-badge.ts';
import { CodeBlock } from '../../page-parts/code-block.tsx';
import { ClosedSection, type EndpointProps } from './section.tsx';

/** Badge of the endpoint with its code, and the link to the same data as JSON. */
export function BadgeSection({ snapshot, baseUrl }: EndpointProps & { readonly baseUrl: string }) {
  const { endpointId, slug, host } = snapshot;
  const options = { endpointId, slug, host, baseUrl };
  return (
    <ClosedSection id="badge" title="Badge and data" gist="Markdown, HTML and signed JSON">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <img
          src={`/badge/${endpointId}.svg`}
          alt={`Badge: Touchstone, ${formatVerdict(snapshot)}`}
          {...BADGE_SIZE}
          loading="lazy"
        />
        <span className="text-ink-soft">The badge always shows the current recommendation and grade.</span>
      </p>
      <CodeBlock label="Badge, Markdown" code={createBadgeMarkdown(options)} isWrapped />
      <details className="mt-2">
        <summary className="cursor-pointer py-1 text-sm text-ink-soft">As HTML</summary>
        <CodeBlock label="Badge, HTML" code={createBadgeHtml(options)} isWrapped />
      </details>
      <p className="mt-2">
        <a href={`/endpoint/${slug}.json`}>This page as signed JSON</a>
        <span className="text-ink-soft">, with the same figures, free and for programs.</span>
      </p>
    </ClosedSection>
  );
}

interface BadgeOptions {
  readonly endpointId: string;
  readonly slug: string;
  /** Host of the endpoint. The host is untrusted text. */
  readonly host: string;
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
}

/** Creates the Markdown of the badge of an endpoint, with a link to the page of the endpoint. */
export function createBadgeMarkdown(options: BadgeOptions): string {
  const { image, page } = createUrls(options);
  return `[![${formatAlternativeText(options)}](${image})](${page})`;
}

/** Creates the HTML of the badge of an endpoint, with a link to the page of the endpoint. */
export function createBadgeHtml(options: BadgeOptions): string {
  const { image, page } = createUrls(options);
  const { width, height } = BADGE_SIZE;
  return `<a href="${page}"><img src="${image}" alt="${formatAlternativeText(options)}" width="${width}" height="${height}"></a>`;
}

/**
 * Formats the alternative text of the badge. The grade can change, so the text does not contain the grade. Characters
 * of the host that have a meaning in HTML or Markdown are removed.
 */
function formatAlternativeText({ host }: BadgeOptions): string {
  return `Touchstone trust grade of ${host.replace(/[^a-z0-9.:-]/gi, '')}`;
}

/** Returns the URLs of the badge and of the page. The id and the slug have only letters, digits and hyphens. */
function createUrls({ endpointId, slug, baseUrl }: BadgeOptions) {
  return { image: `${baseUrl}/badge/${endpointId}.svg`, page: `${baseUrl}/endpoint/${slug}` };
}
