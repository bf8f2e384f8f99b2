import type { Translated } from "../en/index.ts";
import type { later as english } from "../en/later.ts";
import { real_names } from "./real_names.ts";

export const later: Translated<typeof english> = { real_names };
