import { paidRoute } from '../../../api/paid-route.ts';
import { trustOperation } from '../../../operations/paid-operations.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paidRoute(trustOperation);
