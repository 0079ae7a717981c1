import { createPaidRoute } from '../../../../../operations/paid-route.ts';
import { watchRenewal } from '../../../../../operations/watch-operations.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createPaidRoute(watchRenewal);
