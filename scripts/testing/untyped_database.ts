import {
  type Claims,
  type DatabaseOptions,
  openDatabase,
  type RequestKeys,
} from "../../functions/_shared/database/database.ts";
import { addressForFunctions } from "./stack.ts";

type AnyArguments = Record<string, unknown>;

/** The edge functions' database access without types, for functions that a test creates. */
export interface UntypedDatabase {
  callAsCaller(claims: Claims, functionName: string, args: AnyArguments, request?: RequestKeys): Promise<string>;
  callAsService(functionName: string, args: AnyArguments): Promise<string>;
  callInBackground(functionName: string, args: AnyArguments): Promise<string>;
}

/** Creates it like the edge functions do. */
export function openUntypedDatabase(options: DatabaseOptions): UntypedDatabase {
  return openDatabase({ ...options, url: addressForFunctions(options.url) });
}
