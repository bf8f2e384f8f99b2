import { VALUE_LISTS } from "../../../../../functions/_shared/ground/value_lists.ts";

/** What a person can ask for. */
export const requestKinds = VALUE_LISTS["person_requests.kind"];
