/** Invalid parameters, by the codes of JSON-RPC. */
const INVALID_PARAMS = -32602;

/**
 * An error of the protocol. The class of the SDK writes its code before the message, and so does the client that
 * receives it.
 */
export function protocolError(message: string): Error {
  return Object.assign(new Error(message), { code: INVALID_PARAMS });
}
