import { type Claims, type DatabaseOptions, openDatabase, type RequestNames } from "../../functions/_shared/database.ts";

type AnyArguments = Record<string, unknown>;

/** The edge functions' way to the database, for functions that only a test creates. */
export interface UntypedDatabase {
  callAsCaller(claims: Claims, functionName: string, args: AnyArguments, request?: RequestNames): Promise<string>;
  callAsService(functionName: string, args: AnyArguments): Promise<string>;
  callInBackground(functionName: string, args: AnyArguments): Promise<string>;
}

/** Opens it as the edge functions do. */
export function openUntypedDatabase(options: DatabaseOptions): UntypedDatabase {
  return openDatabase(options);
}
