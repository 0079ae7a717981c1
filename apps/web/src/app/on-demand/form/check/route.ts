import { submitCheck } from '../../../../views/check/submit-check.ts';

export const dynamic = 'force-dynamic';

export const POST = submitCheck;
