import { Button, Group, Input, InputBase, Popover, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { CalendarDays } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { languageTag } from "../../../shared/language_tag.ts";
import { type Range, rangesUntil } from "./day_ranges.ts";
import { FilterChip, typingPause, useFiltered } from "./filter_bar.tsx";
import { isDay, todayIn } from "./store_day.ts";
import { useStoreZone } from "./store_zone.ts";

interface DayRangeFilterProps {
  label: string;
  /** The names of the two filters, if they are not `from` and `to`. */
  names?: { from: string; to: string };
  /** What no range means, if not all days. */
  placeholder?: string;
}

const columns = { display: "grid", gridTemplateColumns: "1fr 1fr" } as const;

/** A range of business days in words, in the language of the site. A day that does not exist is no limit. */
function useRangeWords(): (range: Range) => string | undefined {
  const { t } = useTranslation("lists");
  const format = new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeZone: "UTC" });
  return ({ from, to }) => {
    const [first, last] = [from, to].map((day) => (isDay(day) ? new Date(`${day}T00:00:00Z`) : undefined));
    if (first && last) return format.formatRange(first, last);
    if (first) return t("days.since", { day: format.format(first) });
    return last && t("days.until", { day: format.format(last) });
  };
}

/**
 * A filter by a range of business days of the store: a button that says the range, with presets and two fields to type
 * days in. A typed day is applied when typing pauses, because the first digits of a year are also a valid year.
 */
export function DayRangeFilter({ label, names = { from: "from", to: "to" }, placeholder }: DayRangeFilterProps) {
  const { t } = useTranslation(["lists", "common"]);
  const { state, shape } = useFiltered();
  const wordsOf = useRangeWords();
  const timeZone = useStoreZone();
  // Today is known when the popover opens.
  const [openedAt, setOpenedAt] = useState<number>();
  const close = () => setOpenedAt(undefined);
  const applied = { from: state.get(names.from), to: state.get(names.to) };
  const [typed, setTyped] = useState<Range>(applied);
  // Back and Forward change the applied days. One that is applied leaves the other as it is, which may just be typed.
  useEffect(() => setTyped((range) => ({ ...range, from: applied.from })), [applied.from]);
  useEffect(() => setTyped((range) => ({ ...range, to: applied.to })), [applied.to]);
  const set = ({ from, to }: Range) => state.set({ [names.from]: from, [names.to]: to });
  const isReversed = ({ from, to }: Range) => isDay(from) && isDay(to) && from > to;
  const apply = useDebouncedCallback((range: Range) => {
    if ([range.from, range.to].every((day) => day === "" || isDay(day)) && !isReversed(range)) set(range);
  }, typingPause);
  const words = wordsOf(applied);
  const shown = words ?? placeholder ?? t("days.all");
  if (shape === "chip")
    return words && <FilterChip label={label} words={words} onClear={() => set({ from: "", to: "" })} />;

  return (
    <Popover
      opened={openedAt !== undefined}
      onChange={close}
      position="bottom-start"
      shadow="md"
      withinPortal
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <InputBase
          component="button"
          type="button"
          pointer
          {...(shape === "labelled" && { label })}
          aria-label={`${label}: ${shown}`}
          leftSection={<CalendarDays size={16} aria-hidden />}
          onClick={() => setOpenedAt(openedAt === undefined ? Date.now() : undefined)}
          w={220}
          maw="100%"
        >
          {words ?? <Input.Placeholder>{shape === "labelled" ? shown : label}</Input.Placeholder>}
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} maw="calc(100vw - 2rem)">
        <Stack gap="sm">
          <Group gap="xs" style={columns}>
            {(["from", "to"] as const).map((end) => (
              <TextInput
                key={end}
                type="date"
                label={t(`days.${end}`)}
                value={typed[end]}
                error={end === "to" && isReversed(typed) && t("days.reversed")}
                onClick={({ currentTarget }) => currentTarget.showPicker()}
                onChange={({ currentTarget: { value } }) => {
                  const range = { ...typed, [end]: value };
                  setTyped(range);
                  apply(range);
                }}
              />
            ))}
          </Group>
          {timeZone !== undefined && openedAt !== undefined && (
            <Group gap={4} style={columns} role="group" aria-label={t("days.presets")}>
              {Object.entries(rangesUntil(todayIn(timeZone, openedAt))).map(([name, range]) => (
                <Button
                  key={name}
                  size="compact-sm"
                  variant={range.from === applied.from && range.to === applied.to ? "light" : "subtle"}
                  aria-pressed={range.from === applied.from && range.to === applied.to}
                  onClick={() => {
                    set(range);
                    close();
                  }}
                >
                  {t(`days.ranges.${name as keyof ReturnType<typeof rangesUntil>}`)}
                </Button>
              ))}
            </Group>
          )}
          {words !== undefined && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              onClick={() => {
                set({ from: "", to: "" });
                close();
              }}
            >
              {t("common:clear")}
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
