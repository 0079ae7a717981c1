import { securityTextRoute } from '../../../views/about/security-text.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = securityTextRoute;
