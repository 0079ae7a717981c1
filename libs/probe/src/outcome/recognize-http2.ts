import { HTTP2_CODE, NO_STATUS_LINE_CODE, ProbeFailure, toFailure } from './classify-outcome.ts';

const FRAME_HEADER_BYTES = 9;
const SETTINGS = 4;
const GOAWAY = 7;

/**
 * Returns a failure with `HTTP2_CODE` for an error of Node's HTTP/1.1 parser when the server sent an HTTP/2 frame for
 * the whole connection (RFC 9113, section 4.1); any other error unchanged.
 */
export function recognizeHttp2(error: Error): Error {
  // Node adds the received data to errors of the parser.
  const packet = 'rawPacket' in error ? error.rawPacket : null;
  if (toFailure('transfer', error).code !== NO_STATUS_LINE_CODE) return error;
  if (!Buffer.isBuffer(packet) || packet.length < FRAME_HEADER_BYTES) return error;
  const type = packet[3];
  const isFrame = packet[0] === 0 && (type === SETTINGS || type === GOAWAY) && packet.readUInt32BE(5) === 0;
  return isFrame ? new ProbeFailure(HTTP2_CODE, 'the server sent an HTTP/2 frame') : error;
}
