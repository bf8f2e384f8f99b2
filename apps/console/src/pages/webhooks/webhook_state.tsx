import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";

type State = Admin["Webhook"]["state"];

const colours: Record<State, string> = { on: "green", off: "gray", gone: "red", failing: "red" };

/** Words and colour of the state of a webhook. One that fails and is still on says so. */
export function useWebhookState(): (
  webhook: Pick<Admin["Webhook"], "state" | "failing_since">,
) => readonly [string, string] {
  const { t } = useTranslation("webhooks");
  return ({ state, failing_since }) =>
    state === "on" && failing_since !== null ? [t("states.trouble"), "orange"] : [t(`states.${state}`), colours[state]];
}
