import { badgeRoute } from '../../../views/pictures/badge-route.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = badgeRoute;
