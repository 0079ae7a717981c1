interface BadgeOptions {
  readonly endpointId: string;
  readonly slug: string;
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
}

/** Alternative text of the badge. The grade can change, so the text does not contain it. */
const ALTERNATIVE_TEXT = 'Touchstone trust grade';

/** Creates the Markdown of the badge of an endpoint, with a link to the page of the endpoint. */
export function createBadgeMarkdown(options: BadgeOptions): string {
  const { image, page } = createUrls(options);
  return `[![${ALTERNATIVE_TEXT}](${image})](${page})`;
}

/** Creates the HTML of the badge of an endpoint, with a link to the page of the endpoint. */
export function createBadgeHtml(options: BadgeOptions): string {
  const { image, page } = createUrls(options);
  return `<a href="${page}"><img src="${image}" alt="${ALTERNATIVE_TEXT}" height="20"></a>`;
}

/** Returns the URLs of the badge and of the page. Id and slug have only letters, digits and hyphens. */
function createUrls({ endpointId, slug, baseUrl }: BadgeOptions) {
  return { image: `${baseUrl}/badge/${endpointId}.svg`, page: `${baseUrl}/endpoint/${slug}` };
}
