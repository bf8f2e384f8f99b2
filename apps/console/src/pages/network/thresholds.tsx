import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { FilterBar, TextFilter } from "../../components/filter_bar.tsx";
import { formatCount } from "../../components/figures.tsx";
import type { ListState } from "../../components/list_state.ts";

interface ThresholdsProps {
  of: { state: ListState; names: readonly string[] };
  presets: Admin["Network"]["presets"];
}

/**
 * From how many members, and which depth below, a member is counted and listed. Without a number, those of the settings
 * apply.
 */
export function Thresholds({ of, presets }: ThresholdsProps) {
  const { t } = useTranslation("network");
  const check = (text: string) => (text === "" || /^[1-9]\d{0,5}$/.test(text) ? undefined : t("thresholds.wrong"));
  return (
    <FilterBar of={of} isForm>
      <TextFilter name="people" label={t("thresholds.people")} width={210} check={check} />
      <TextFilter name="depth" label={t("thresholds.depth")} width={210} check={check} />
      <Button.Group aria-label={t("thresholds.presets")}>
        {presets.map(({ people, depth }) => (
          <Button
            key={people}
            variant="default"
            aria-pressed={of.state.get("people") === String(people) && of.state.get("depth") === String(depth)}
            onClick={() => of.state.set({ people: String(people), depth: String(depth) })}
          >
            {people === 1
              ? t("thresholds.depthAlone", { depth: formatCount(depth) })
              : t("thresholds.both", { people: formatCount(people), depth: formatCount(depth) })}
          </Button>
        ))}
      </Button.Group>
    </FilterBar>
  );
}
