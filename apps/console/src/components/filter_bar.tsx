import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
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

/** The state of the list whose filters a `FilterBar` contains. */
const Filtered = createContext<ListState | undefined>(undefined);

export function useFiltered(): ListState {
  return useContext(Filtered)!;
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
  const state = useFiltered();
  const applied = state.get(name);
  const [text, setText] = useState(applied);
  const apply = useDebouncedCallback((value: string) => {
    if (!check?.(value.trim())) state.set({ [name]: value.trim() });
  }, typingPause);
  // Back and Forward change the applied text. A trailing space is text that is being typed.
  useEffect(() => setText((typed) => (typed.trim() === applied ? typed : applied)), [applied]);
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={placeholder}
      w={width}
      maw="100%"
      leftSection={<Search size={16} aria-hidden />}
      value={text}
      data-applied={applied || undefined}
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
  const state = useFiltered();
  return (
    <Select
      label={label}
      data={choices}
      value={state.get(name) || null}
      data-applied={state.get(name) || undefined}
      onChange={(value) => state.set({ [name]: value ?? "" })}
      placeholder={placeholder ?? t("all")}
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
  const state = useFiltered();
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
      data-applied={applied || undefined}
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
  const { t } = useTranslation("common");
  const state = useFiltered();
  const format = useFormatTime();
  const names = [`${name}_from`, `${name}_to`];
  if (!state.hasAny(names)) return null;
  const [from, to] = names.map((bound) => (Number.isNaN(Date.parse(state.get(bound))) ? "" : format(state.get(bound))));
  return (
    <Button
      variant="light"
      rightSection={<X size={16} aria-label={t("clear")} />}
      onClick={() => state.set(Object.fromEntries(names.map((bound) => [bound, ""])))}
    >
      {label} {from} – {to}
    </Button>
  );
}

interface FilterBarProps {
  /** The state of the list, and the names of its filters. */
  of: { state: ListState; names: readonly string[] };
  /** The list whose saved views are offered. */
  views?: ViewPage;
  children: ReactNode;
}

/**
 * The filters of a list, and a button that removes them all. In a narrow window, a button shows those after the first
 * that are not applied.
 */
export function FilterBar({ of: { state, names }, views, children }: FilterBarProps) {
  const { t } = useTranslation("common");
  // Mounting the filters again drops texts that are not applied yet.
  const [cleared, setCleared] = useState(0);
  const [isUnfolded, { toggle }] = useDisclosure(false);
  return (
    <Group component="search" className="filters" align="flex-end" gap="sm" data-folded={!isUnfolded || undefined}>
      <Filtered key={cleared} value={state}>
        {children}
      </Filtered>
      {Children.count(children) > 1 && (
        <Button
          variant="default"
          hiddenFrom="sm"
          leftSection={<ListFilter size={16} aria-hidden />}
          aria-expanded={isUnfolded}
          onClick={toggle}
        >
          {t("filters")}
        </Button>
      )}
      {state.hasAny(names) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<X size={16} aria-hidden />}
          onClick={() => {
            state.set(Object.fromEntries(names.map((name) => [name, ""])));
            setCleared(cleared + 1);
          }}
        >
          {t("clearFilters")}
        </Button>
      )}
      {views && <SavedViews page={views} state={state} names={names} />}
    </Group>
  );
}
