import type { Admin } from "../../../../client/index.ts";
import { emptyNumbers, type FieldNumber, numberOf } from "../../components/field_number.ts";
import { emptyTexts } from "../../components/field_text.ts";
import { type TaskType, taskTypes } from "../../store/enumerations.ts";

/** A grade in the form. Its number is its position in the list. An empty target means no task. */
export interface LevelFieldValues {
  name: string;
  name_zh: string;
  direct_points: FieldNumber;
  umbrella_points: FieldNumber;
  is_active: boolean;
  tasks: Record<TaskType, FieldNumber>;
}

export type LevelsForm = { levels: LevelFieldValues[] };

export function formOf(levels: Admin["AgentLevel"][]): LevelsForm {
  return {
    levels: levels.map(({ name, name_zh, direct_points, umbrella_points, is_active, tasks }) => ({
      name,
      name_zh,
      direct_points,
      umbrella_points,
      is_active,
      tasks: Object.fromEntries(taskTypes.map((type) => [type, tasks[type] ?? ""])) as Record<TaskType, FieldNumber>,
    })),
  };
}

/** The fields that are still empty. An empty target means no task. */
export function emptyFieldsOf({ levels }: LevelsForm): Record<string, string> {
  return Object.assign(
    {},
    ...levels.map(({ name, name_zh, direct_points, umbrella_points }, grade) => {
      const at = <Value>(fields: Record<string, Value>) =>
        Object.fromEntries(Object.entries(fields).map(([field, value]) => [`levels.${grade}.${field}`, value]));
      return { ...emptyTexts(at({ name, name_zh })), ...emptyNumbers(at({ direct_points, umbrella_points })) };
    }),
  ) as Record<string, string>;
}

/** The levels in the format of the API. */
export function levelsOf({ levels }: LevelsForm): Admin["AgentLevelDraft"][] {
  return levels.map(({ tasks, direct_points, umbrella_points, ...level }, grade) => ({
    grade,
    ...level,
    direct_points: numberOf(direct_points),
    umbrella_points: numberOf(umbrella_points),
    tasks: Object.fromEntries(Object.entries(tasks).filter(([, target]) => target !== "")),
  }));
}

/** A new grade with the values of the one below it, because points and targets may not decrease. */
export function gradeAbove(below: LevelFieldValues): LevelFieldValues {
  return { ...below, name: "", name_zh: "", is_active: true, tasks: { ...below.tasks } };
}
