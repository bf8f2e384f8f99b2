import { language } from "./texts.ts";

// Without Intl, which not every phone has in mini programs.

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const dateText = (year: number, month: number, day: number) =>
  language === "zh" ? `${year}年${month}月${day}日` : `${day} ${months[month - 1]} ${year}`;

/** The day of a time, in the time zone of the phone. */
export function dayText(time: string): string {
  const date = new Date(time);
  return dateText(date.getFullYear(), date.getMonth() + 1, date.getDate());
}

/** The time of day, in the time zone of the phone. */
export function clockText(time: string): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** A time, in the time zone of the phone. */
export const timeText = (time: string) => `${dayText(time)} ${clockText(time)}`;

/** A business day, which has no time zone. @param day such as 2026-11-26 */
export function businessDayText(day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  return dateText(year!, month!, date!);
}
