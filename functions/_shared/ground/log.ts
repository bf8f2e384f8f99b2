import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What every line of the log says about the request that it belongs to. None of it is a token, a name, a phone number
 * or an address.
 */
export interface RequestFields {
  service: string;
  request_id: string;
  trace_id?: string | undefined;
  /** The declared path, because the actual path contains ids. */
  route?: string;
  /** The Auth id of the account, the machine key, or the kind of machine. */
  caller?: string | undefined;
  /** The id of the order that the request is about. */
  order?: string | undefined;
  /** A standby has answered. */
  standby?: true;
}

const requests = new AsyncLocalStorage<RequestFields>();

/**
 * Runs the work of a request. Its lines in the log, those of background work that it starts included, name the request.
 */
export function withinRequest<Result>(fields: RequestFields, work: () => Result): Result {
  return requests.run(fields, work);
}

/** Adds what is known by now about the current request. */
export function describeRequest(fields: Partial<RequestFields>): void {
  Object.assign(requests.getStore() ?? {}, fields);
}

/**
 * Logs one JSON line.
 * @param fields must not contain a token, a name, a phone number, an address or a text that a person has entered
 */
export function log(level: "info" | "warning" | "error", msg: string, fields: Record<string, unknown> = {}): void {
  const line = JSON.stringify({ ts: new Date().toISOString(), level, msg, ...requests.getStore(), ...fields });
  (level === "info" ? console.log : console.error)(line);
}
