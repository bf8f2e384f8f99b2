import type { Api } from "../../../client/index.ts";
import { formatNumber } from "../../../../functions/_shared/words/figures.ts";
import { dayText } from "../texts/dates.ts";
import { fill, texts } from "../texts/texts.ts";

const t = texts.team;

export const countText = (text: string, number: number) => fill(text, { number: formatNumber(number) });

/** A member of the team as `parts/rows.wxml` shows it. @param levels names by grade */
export const personRow =
  (levels: Map<number, string>) =>
  ({ uid, nickname, agent_level, joined, orders, members }: Api["TeamMember"]) => ({
    id: uid,
    title: nickname,
    amount: (agent_level > 0 && levels.get(agent_level)) || "",
    text: `${countText(t.ordersOf, orders)} · ${countText(t.membersOf, members)}`,
    note: `${fill(t.number, { uid })} · ${fill(t.joined, { day: dayText(joined) })}`,
    url: "",
  });
