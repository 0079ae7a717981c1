import { sitemapIndexRoute } from '../../seo/sitemap-routes.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = sitemapIndexRoute;
