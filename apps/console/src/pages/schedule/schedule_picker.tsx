import { Group, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useWeekdays } from "./schedule_words.ts";

const kinds = ["daily", "weekly", "hourly", "minutes"] as const;
type Kind = (typeof kinds)[number];

/** What the fields of a schedule say, by its kind. Each kind but that of every few minutes has a minute. */
interface Fields {
  kind: Kind;
  minute: string;
  hour: string;
  weekday: string;
  /** Between two runs. */
  minutes: string;
}

const preset: Fields = { kind: "daily", minute: "0", hour: "3", weekday: "1", minutes: "5" };

/** Reads a schedule in the form of cron; undefined if it is of none of the kinds. */
function read(schedule: string): Fields | undefined {
  const [, minute = "", hour = "", weekday = ""] = /^(\S+) (\S+) \* \* ([0-6*])$/.exec(schedule.trim()) ?? [];
  if (hour === "*" && minute === "*") return { ...preset, kind: "minutes", minutes: "1" };
  if (hour === "*" && /^\*\/\d{1,2}$/.test(minute)) return { ...preset, kind: "minutes", minutes: minute.slice(2) };
  const isTime = /^\d{1,2}$/.test(minute) && Number(minute) < 60;
  if (isTime && hour === "*") return { ...preset, kind: "hourly", minute };
  if (!isTime || !/^\d{1,2}$/.test(hour) || Number(hour) > 23) return undefined;
  return weekday === "*"
    ? { ...preset, minute, hour }
    : { kind: "weekly", minute, hour, weekday, minutes: preset.minutes };
}

/** Writes a schedule in the form of cron. */
const write = ({ kind, minute, hour, weekday, minutes }: Fields): string =>
  ({
    daily: `${minute} ${hour} * * *`,
    weekly: `${minute} ${hour} * * ${weekday}`,
    hourly: `${minute} * * * *`,
    minutes: minutes === "1" ? "* * * * *" : `*/${minutes} * * * *`,
  })[kind];

/** Chooses when a job runs, without the form of cron. */
export function SchedulePicker({ schedule, onChange }: { schedule: string; onChange: (schedule: string) => void }) {
  const { t } = useTranslation("schedule");
  const weekdays = useWeekdays();
  const fields = read(schedule);
  const { kind, minute, hour, weekday, minutes } = fields ?? { ...preset, kind: undefined };
  const change = (changed: Partial<Fields>) => onChange(write({ ...(fields ?? preset), ...changed }));
  return (
    <Group align="flex-end">
      <NativeSelect
        label={t("picker.how")}
        data={[
          ...(fields ? [] : [{ value: "", label: "–" }]),
          ...kinds.map((value) => ({ value, label: t(`picker.${value}`) })),
        ]}
        value={kind ?? ""}
        onChange={({ currentTarget: { value } }) => change({ kind: value as Kind })}
      />
      {kind === "weekly" && (
        <NativeSelect
          label={t("picker.day")}
          data={weekdays.map((label, value) => ({ value: String(value), label }))}
          value={weekday}
          onChange={({ currentTarget: { value } }) => change({ weekday: value })}
        />
      )}
      {(kind === "daily" || kind === "weekly") && (
        <TextInput
          type="time"
          label={t("picker.time")}
          value={`${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`}
          onChange={({ currentTarget: { value } }) => {
            const [chosen, part] = value.split(":").map(Number);
            if (chosen !== undefined && part !== undefined) change({ hour: String(chosen), minute: String(part) });
          }}
        />
      )}
      {(kind === "hourly" || kind === "minutes") && (
        <NumberInput
          w={140}
          label={t(kind === "hourly" ? "picker.minute" : "picker.interval")}
          min={kind === "hourly" ? 0 : 1}
          max={59}
          allowDecimal={false}
          value={Number(kind === "hourly" ? minute : minutes)}
          onChange={(value) =>
            typeof value === "number" &&
            change(kind === "hourly" ? { minute: String(value) } : { minutes: String(value) })
          }
        />
      )}
    </Group>
  );
}
