import type { en, Translated } from "../en/index.ts";
import { first } from "./first.ts";
import { later } from "./later.ts";

export const zh: Translated<typeof en> = { ...first, ...later };
