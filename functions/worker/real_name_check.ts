import { readResult } from "../_shared/database/result.ts";
import { readRealNames, storedName } from "../_shared/secrets/real_names.ts";
import { openRealNameProvider } from "./real_name_provider.ts";
import type { Work } from "./work.ts";

const DEADLINE_MS = 10_000;

/** Asks the provider about a real name. A repeated question has the same answer, and counts once. */
export const checkRealName: Work = async ({ real_name_id }, { database, env }) => {
  const p_id = real_name_id as number;
  const waiting = readResult(storedName.nullable(), await database.callAsService("get_real_name_to_check", { p_id }));
  let isConfirmed: boolean | null = null;
  if (waiting) {
    const provider = openRealNameProvider(env);
    const realNames = readRealNames(env);
    if (!realNames)
      throw new Error("no key decrypts real names: set STORE_REAL_NAME_KEY and STORE_REAL_NAME_INDEX_KEY");
    isConfirmed = await provider.confirms(await realNames.decrypt(waiting), AbortSignal.timeout(DEADLINE_MS));
  }
  await database.callAsService("record_real_name_check", { p_id, p_is_confirmed: isConfirmed });
  return "recorded";
};
