import { taskWords, wordsIn } from "../../../../functions/_shared/words/words.ts";

export const levels = {
  title: "等级",
  next: { title: "下一等级", to: "升级为{{level}}", top: "你已达到最高等级。" },
  held: "商城已锁定你的等级，完成任务暂不会升级。",
  inReview: "你已完成全部任务，商城正在复核你的等级。",
  all: "全部等级",
  mine: "当前等级",
  directPoints: "每件直推积分",
  umbrellaPoints: "每件级差积分",
  progress: "{{current}} / {{target}}",
  task: wordsIn("zh", taskWords),
};
