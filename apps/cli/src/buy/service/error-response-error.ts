import { CliError, type CliErrorOptions } from '../../cli-error.ts';
import type { ServiceResponse } from './send-request.ts';

/** An error response of the service to a purchase. Nothing was charged. */
export class ErrorResponseError extends CliError {
  readonly response: ServiceResponse;

  constructor(message: string, response: ServiceResponse, options: Pick<CliErrorOptions, 'code'> = {}) {
    super(message, { ...options, notCharged: true });
    this.response = response;
  }
}
