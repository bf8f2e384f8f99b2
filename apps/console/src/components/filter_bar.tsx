import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure, useMediaQuery } from "@mantine/hooks";
import { ListFilter, Search, X } from "lucide-react";
import { Children, createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WaitingKind } from "../store/waiting.ts";
import { idOf } from "./ids.ts";
import type { ListState } from "./list_state.ts";
import { isDay } from "./store_day.ts";
import { SavedViews, type ViewPage } from "./saved_views.tsx";
import { useFormatTime } from "./time.tsx";

export const typingPause = 350;

/** How a filter is shown: as a field with its name inside, as one with its name above it, or as a chip if it is set. */
type Shape = "inline" | "labelled" | "chip";

/** The state of the list whose filters a `FilterBar` contains, and how it shows them. */
const Filtered = createContext<{ state: ListState; shape: Shape } | undefined>(undefined);

export function useFiltered(): { state: ListState; shape: Shape } {
  return useContext(Filtered)!;
}

/** A filter that is set, and can be removed. */
export function FilterChip({ label, words, onClear }: { label: string; words: string; onClear: () => void }) {
  const { t } = useTranslation("common");
  return (
    <Button
      variant="light"
      size="compact-md"
      className="filter-chip"
      rightSection={<X size={14} aria-label={t("clear")} />}
      onClick={onClear}
    >
      {label}: {words}
    </Button>
  );
}

interface FilterProps {
  name: string;
  label: string;
}

interface TextFilterProps extends FilterProps {
  placeholder?: string;
  width?: number;
  /** Returns the error message of an invalid text, which is then not applied. */
  check?: (text: string) => string | undefined;
}

/** The longest search text that the store accepts. */
const longestSearch = 64;

/** A text filter that is applied when typing pauses. */
export function TextFilter({ name, label, placeholder, width = 260, check }: TextFilterProps) {
  const { state, shape } = useFiltered();
  const applied = state.get(name);
  const [text, setText] = useState(applied);
  const apply = useDebouncedCallback((value: string) => {
    if (!check?.(value.trim())) state.set({ [name]: value.trim() });
  }, typingPause);
  // Back and Forward change the applied text. A trailing space is text that is being typed.
  useEffect(() => setText((typed) => (typed.trim() === applied ? typed : applied)), [applied]);
  if (shape === "chip")
    return (
      applied && (
        <FilterChip label={label} words={check?.(applied) ?? applied} onClear={() => state.set({ [name]: "" })} />
      )
    );
  const names =
    shape === "inline"
      ? { "aria-label": label, placeholder: placeholder ?? label, title: placeholder }
      : { label, placeholder };
  return (
    <TextInput
      type="search"
      {...names}
      w={width}
      maw="100%"
      leftSection={<Search size={16} aria-hidden />}
      value={text}
      maxLength={longestSearch}
      error={text.trim() && check?.(text.trim())}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        apply(value);
      }}
    />
  );
}

/** A filter by uid. */
export function MemberFilter(props: FilterProps) {
  const { t } = useTranslation(["common", "words"]);
  return (
    <TextFilter
      {...props}
      placeholder={t("words:uid")}
      width={140}
      check={(text) => (text === "" || idOf(text) ? undefined : t("invalid.memberNumber"))}
    />
  );
}

/** A filter with a few values. No value means all rows, or what `placeholder` says. */
export function ChoiceFilter({
  name,
  label,
  choices,
  placeholder,
  width = 160,
}: FilterProps & { choices: { value: string; label: string }[]; placeholder?: string; width?: number }) {
  const { t } = useTranslation("common");
  const { state, shape } = useFiltered();
  const value = state.get(name);
  if (shape === "chip") {
    const words = choices.find((choice) => choice.value === value)?.label ?? value;
    return value && <FilterChip label={label} words={words} onClear={() => state.set({ [name]: "" })} />;
  }
  const names =
    shape === "inline" ? { "aria-label": label, placeholder: label } : { label, placeholder: placeholder ?? t("all") };
  return (
    <Select
      {...names}
      data={choices}
      value={value || null}
      onChange={(chosen) => state.set({ [name]: chosen ?? "" })}
      clearable
      clearButtonProps={{ "aria-label": t("clear") }}
      w={width}
    />
  );
}

/** A filter by what waits for the administrator. */
export function WaitingFilter({ kinds }: { kinds: WaitingKind[] }) {
  const { t } = useTranslation(["common", "words"]);
  return (
    <ChoiceFilter
      name="waiting"
      label={t("waitsForMe")}
      width={240}
      choices={kinds.map((value) => ({ value, label: t(`words:waiting.${value}`) }))}
    />
  );
}

/** A filter by a business day, applied when typing pauses, because the first digits of a year are also a valid year. */
export function DayFilter({ name, label }: FilterProps) {
  const { state } = useFiltered();
  const applied = state.get(name);
  const [day, setDay] = useState(applied);
  const apply = useDebouncedCallback((value: string) => {
    if (value === "" || isDay(value)) state.set({ [name]: value });
  }, typingPause);
  useEffect(() => setDay(applied), [applied]);
  return (
    <TextInput
      type="date"
      label={label}
      value={day}
      // Otherwise, desktop browsers open the calendar by its icon alone.
      onClick={({ currentTarget }) => currentTarget.showPicker()}
      onChange={({ currentTarget: { value } }) => {
        setDay(value);
        apply(value);
      }}
      w={200}
    />
  );
}

/** A period that a link has set, by the parameters `<name>_from` and `<name>_to`. It is shown, and can be removed. */
export function PeriodFilter({ name, label }: FilterProps) {
  const { state } = useFiltered();
  const format = useFormatTime();
  const names = [`${name}_from`, `${name}_to`];
  if (!state.hasAny(names)) return null;
  const [from, to] = names.map((bound) => (Number.isNaN(Date.parse(state.get(bound))) ? "" : format(state.get(bound))));
  return (
    <FilterChip
      label={label}
      words={`${from} – ${to}`}
      onClear={() => state.set(Object.fromEntries(names.map((bound) => [bound, ""])))}
    />
  );
}

/** In a window of 48 em or more, a row has room for so many filters. */
const inRow = 3;

interface FilterBarProps {
  /** The state of the list, and the names of its filters. */
  of: { state: ListState; names: readonly string[] };
  /** The list whose saved views are offered. */
  views?: ViewPage;
  /** Whether each field has its name above it, in a form that is no row of filters above a list. */
  isForm?: true;
  children: ReactNode;
}

/**
 * The filters of a list in one row: the first of them, a chip for each other one that is set, and buttons that show the
 * others and remove all.
 */
export function FilterBar({ of: { state, names }, views, isForm, children }: FilterBarProps) {
  const { t } = useTranslation("common");
  // Mounting the filters again drops texts that are not applied yet.
  const [cleared, setCleared] = useState(0);
  const [isUnfolded, { toggle }] = useDisclosure(false);
  const isWide = useMediaQuery("(min-width: 48em)", true, { getInitialValueInEffect: false });
  const filters = Children.toArray(children);
  const shown = isForm ? filters.length : isWide ? inRow : 1;
  const others = filters.slice(shown);
  return (
    <Stack component="search" gap="xs" className="filters">
      <Group gap="xs" key={cleared}>
        <Group gap="xs" align={isForm ? "flex-end" : "flex-start"} className={isForm ? "" : "filter-row"}>
          <Filtered value={{ state, shape: isForm ? "labelled" : "inline" }}>{filters.slice(0, shown)}</Filtered>
          {others.length > 0 && (
            <Button
              variant="default"
              px="sm"
              leftSection={<ListFilter size={16} aria-hidden />}
              aria-expanded={isUnfolded}
              onClick={toggle}
            >
              {t("filters")}
            </Button>
          )}
          {views && <SavedViews page={views} state={state} names={names} />}
        </Group>
        {!isUnfolded && <Filtered value={{ state, shape: "chip" }}>{others}</Filtered>}
        {state.hasAny(names) && (
          <Button
            variant="subtle"
            color="gray"
            px="sm"
            leftSection={<X size={16} aria-hidden />}
            onClick={() => {
              state.set(Object.fromEntries(names.map((name) => [name, ""])));
              setCleared(cleared + 1);
            }}
          >
            {t("clearFilters")}
          </Button>
        )}
      </Group>
      {isUnfolded && (
        <Group gap="xs" align="flex-end">
          <Filtered value={{ state, shape: "labelled" }}>{others}</Filtered>
        </Group>
      )}
    </Stack>
  );
}
