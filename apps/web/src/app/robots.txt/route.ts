import { robotsRoute } from '../../views/sitemap/sitemap-routes.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = robotsRoute;
