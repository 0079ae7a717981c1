import { claimRecheckRoute } from '../../../../../operations/routes/claim-routes.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = claimRecheckRoute;
