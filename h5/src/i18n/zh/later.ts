import type { Translated } from "../en/index.ts";
import type { later as english } from "../en/later.ts";
import { person_requests } from "./person_requests.ts";

export const later: Translated<typeof english> = { person_requests };
